import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, Dynalite, Item } from './dynalite.ts';

type Path = readonly (string | number)[];
interface Call {
  readonly type: string;
  readonly name?: string;
  readonly args: readonly Operand[];
}
type Operand = Path | Call | AttributeValue;

/** A condition as dynalite's parser gives it. */
export type Condition = Call;

const always: Condition = { type: '=', args: [{ N: '1' }, { N: '1' }] };
const never: Condition = { type: '=', args: [{ N: '1' }, { N: '0' }] };

/**
 * dynalite compares maps and lists by identity, so they are never equal. Once the item is read, comparisons
 * of documents are decided here and replaced by their outcome; all others are left as they are.
 */
export function decideDocuments(condition: Condition, item: Item, dynalite: Dynalite): Condition {
  const value = (operand: Operand): AttributeValue | undefined => {
    if (Array.isArray(operand)) return dynalite.db.mapPath(operand as Path, item);
    return 'args' in operand ? undefined : (operand as AttributeValue);
  };
  const decide = (part: Condition): Condition => {
    if (part.type === 'and' || part.type === 'or' || part.type === 'not') {
      return { ...part, args: part.args.map((inner) => decide(inner as Condition)) };
    }
    const [first, ...others] = part.args.map(value);
    const outcome = decideOne(part.name ?? part.type, first, others);
    return outcome === undefined ? part : outcome ? always : never;
  };
  return decide(condition);
}

/** The outcome of a comparison of documents; undefined for any other comparison. */
function decideOne(
  comparison: string,
  first: AttributeValue | undefined,
  others: readonly (AttributeValue | undefined)[],
): boolean | undefined {
  if (first === undefined) return undefined;
  const anyEqual = () => others.some((other) => other !== undefined && isEqual(first, other));
  if (isDocument(first)) {
    if (comparison === '=' || comparison === 'in') return anyEqual();
    if (comparison === '<>') return !anyEqual();
  }
  const [wanted] = others;
  if (comparison === 'contains' && 'L' in first && wanted !== undefined) {
    return (first.L as AttributeValue[]).some((member) => isEqual(member, wanted));
  }
  return undefined;
}

const isDocument = (value: AttributeValue) => 'M' in value || 'L' in value;

// Numbers are in normal form, in items and in expression values alike. Sets have no order.
function isEqual(left: AttributeValue, right: AttributeValue): boolean {
  return isDeepStrictEqual(normal(left), normal(right));
}

function normal(value: AttributeValue): unknown {
  if ('M' in value) {
    const members = Object.entries(value.M as Item);
    return { M: Object.fromEntries(members.map(([name, member]) => [name, normal(member)])) };
  }
  if ('L' in value) return { L: (value.L as AttributeValue[]).map(normal) };
  const [type, content] = Object.entries(value)[0] ?? [];
  return { [String(type)]: Array.isArray(content) ? [...content].sort() : content };
}
