import { elementsOf } from './elements.ts';
import { type Op, type Operand, op } from './operators.ts';

/**
 * Adds to a number; subtracts if `amount` is negative. An absent attribute counts as 0. Sent again after a
 * lost answer it is still applied once, like every change under a fence.
 *
 * @example update(lease, key, { balance: add(-30) })
 */
export function add(amount: number | bigint): Op<'add', number | bigint> {
  return op('add', amount);
}

/**
 * Puts elements at the end of a list. An absent attribute counts as an empty list.
 *
 * @example update(lease, key, { lines: append([{ sku: 'a', quantity: 1 }]) })
 */
export function append<V extends Operand>(elements: readonly V[]): Op<'append', readonly V[]> {
  return op('append', elementsOf('append', elements));
}

/** Puts elements at the beginning of a list. An absent attribute counts as an empty list. */
export function prepend<V extends Operand>(elements: readonly V[]): Op<'prepend', readonly V[]> {
  return op('prepend', elementsOf('prepend', elements));
}

/**
 * Sets an attribute where it is absent, and leaves it alone where it has any value, null included.
 *
 * @example update(lease, key, { createdAtMs: ifNotExists(Date.now()) })
 */
export function ifNotExists<V extends Operand>(value: V): Op<'ifNotExists', V> {
  return op('ifNotExists', value);
}

/**
 * Adds elements to a set; those that it has already change nothing. An absent attribute counts as an empty set.
 *
 * @param elements any iterable but a string: at least one string, number, bigint or Uint8Array.
 * @example update(lease, key, { tags: union(['urgent']) })
 */
export function union<const V extends Operand>(elements: Iterable<V> & object): Op<'union', ReadonlySet<V>> {
  return op('union', new Set(elementsOf('union', elements)));
}

/**
 * Takes elements out of a set; those that it does not have change nothing. When the last one goes the
 * attribute goes with it, because DynamoDB has no empty sets.
 *
 * @param elements any iterable but a string: at least one string, number, bigint or Uint8Array.
 * @example update(lease, key, { tags: difference(['urgent']) })
 */
export function difference<const V extends Operand>(
  elements: Iterable<V> & object,
): Op<'difference', ReadonlySet<V>> {
  return op('difference', new Set(elementsOf('difference', elements)));
}

/** Drops an attribute. Only for attributes that are optional. */
export function remove(): Op<'remove'> {
  return op('remove');
}
