import { elementsOf } from './elements.ts';
import { type Op, type Operand, op } from './operators.ts';

/** What DynamoDB orders: numbers by value, strings by their UTF-8 bytes, binary by unsigned bytes. */
export type Comparable = string | number | bigint | Uint8Array;

/** Equal, in type and value. The same as the bare value: `{ status: eq('open') }` is `{ status: 'open' }`. */
export function eq<V extends Operand>(value: V): Op<'eq', V> {
  return op('eq', value);
}

/** Not equal. True also of an absent attribute, and of one of another type. */
export function ne<V extends Operand>(value: V): Op<'ne', V> {
  return op('ne', value);
}

/** Greater than. Like every order, false where the attribute is absent or of another type. */
export function gt<V extends Comparable>(value: V): Op<'gt', V> {
  return op('gt', value);
}

/**
 * Greater than or equal.
 *
 * @example update(lease, key, { balance: add(-30) }, { when: { balance: gte(30) } })
 */
export function gte<V extends Comparable>(value: V): Op<'gte', V> {
  return op('gte', value);
}

/** Less than. */
export function lt<V extends Comparable>(value: V): Op<'lt', V> {
  return op('lt', value);
}

/** Less than or equal. */
export function lte<V extends Comparable>(value: V): Op<'lte', V> {
  return op('lte', value);
}

/** From a lower bound to an upper one, both included. Reversed bounds are refused before anything is sent. */
export function between<A extends Comparable, B extends Comparable>(
  from: A,
  to: B,
): Op<'between', readonly [A, B]> {
  return op('between', [from, to]);
}

/**
 * Equal to one of some values.
 *
 * @param values any iterable but a string: 1 to 100 values.
 * @example { when: { status: oneOf(['free', 'held']) } }
 */
export function oneOf<const V extends Operand>(values: Iterable<V> & object): Op<'oneOf', readonly V[]> {
  return op('oneOf', elementsOf('oneOf', values));
}

/** A string, or binary, that begins so. */
export function beginsWith<V extends string | Uint8Array>(prefix: V): Op<'beginsWith', V> {
  return op('beginsWith', prefix);
}

/** A string that holds this text, or a list or set that holds this element. */
export function contains<V extends Operand>(element: V): Op<'contains', V> {
  return op('contains', element);
}

/** The attribute is there, whatever its value, null included. */
export function exists(): Op<'exists'> {
  return op('exists');
}

/** The attribute is absent. */
export function notExists(): Op<'notExists'> {
  return op('notExists');
}
