import type { Stamp } from '../fence/session.ts';
import { type HiddenAttributes, versionOf } from './attributes.ts';
import type { InputForm } from './input-form.ts';
import type { Placeholders } from './placeholders.ts';

/** What a write leaves behind. The version goes with content: a tombstone has none, and a claim keeps the one that is there. */
export type Leaves = 'stamp' | 'stamp and version';

/** The stamp as attributes of an item that is written whole. */
export function stampedAttributes(
  stamp: Stamp,
  attributes: HiddenAttributes,
  leaves: Leaves,
  form: InputForm,
): Record<string, unknown> {
  return Object.fromEntries(stampParts(stamp, attributes, leaves, form));
}

/** The stamp as assignments of an update expression. */
export function stampAssignments(
  stamp: Stamp,
  attributes: HiddenAttributes,
  leaves: Leaves,
  placeholders: Placeholders,
): string[] {
  const parts = stampParts<string>(stamp, attributes, leaves, placeholders);
  return parts.map(([name, value]) => `${placeholders.name(name)} = ${value}`);
}

interface Writer<Value> {
  number(value: number): Value;
  string(value: string): Value;
}

function stampParts<Value>(
  stamp: Stamp,
  attributes: HiddenAttributes,
  leaves: Leaves,
  as: Writer<Value>,
): (readonly [string, Value])[] {
  const parts = [
    [attributes.fence, as.number(stamp.token)],
    [attributes.holder, as.string(stamp.holder)],
    [attributes.seq, as.number(stamp.seq)],
  ] as const;
  return leaves === 'stamp' ? [...parts] : [...parts, [attributes.version, as.string(versionOf(stamp))]];
}
