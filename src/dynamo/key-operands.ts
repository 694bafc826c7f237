import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { dataEntries } from './data-entries.ts';
import { encodeKeyScalar } from './key.ts';
import { isOperator, operator } from './operators.ts';
import { partsOf } from './parts.ts';

/** What the key of a query compares an attribute with. */
export interface KeyOperand {
  readonly value: AttributeValue;
  /** Whether it must be equal; else only of the same type. */
  readonly equal: boolean;
}

/** What the key of a query asks, by attribute. It has been compiled before, so it is right. */
export function keyOperands(conditions: unknown, path: string): ReadonlyMap<string, KeyOperand> {
  const entries = partsOf(conditions, path).flatMap(({ part }) => dataEntries(part, path));
  return new Map(entries.map(([name, asked]) => [name, operandOf(asked, path)]));
}

function operandOf(asked: unknown, path: string): KeyOperand {
  const { kind, value } = isOperator(asked)
    ? { kind: asked[operator], value: asked.value }
    : { kind: 'eq', value: asked };
  const first: unknown = kind === 'between' ? (value as readonly unknown[])[0] : value;
  return { value: encodeKeyScalar(first, path), equal: kind === 'eq' };
}
