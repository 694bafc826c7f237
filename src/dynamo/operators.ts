/*
 * Operators are values: plain objects that say what is to be done to an attribute, or asked of it. They are
 * told from stored objects by a brand, which is a registered symbol, so that two copies of this package in
 * one process understand each other's.
 */
export const operator: unique symbol = Symbol.for('dynamodb-fenced.operator');

/** An operator of some kind with its operand. Its type carries both, so that compile errors name them. */
export interface Op<Kind extends string, Value = undefined> {
  readonly [operator]: Kind;
  readonly value: Value;
}

/**
 * What operands may be, to the compiler. The primitive types are named so that `'free'` is inferred as that,
 * and not as any string.
 */
export type Operand = string | number | bigint | boolean | null | object;

export function op<Kind extends string>(kind: Kind): Op<Kind>;
export function op<Kind extends string, Value>(kind: Kind, value: Value): Op<Kind, Value>;
export function op(kind: string, value?: unknown): Op<string, unknown> {
  return Object.freeze({ [operator]: kind, value });
}

export function isOperator(value: unknown): value is Op<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, operator);
}

/** An expression in DynamoDB's own language, with what its placeholders stand for. Made by `raw()`. */
export type Raw = Op<'raw', RawExpression>;

/** What `raw()` was given. */
export interface RawExpression {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What an item's attributes shall become, or an expression in DynamoDB's own language, or several of both. */
export type Changes<T> = AttributeChanges<T> | Raw | readonly (AttributeChanges<T> | Raw)[];

/** For each attribute its new value, or an operator that fits its type. */
export type AttributeChanges<T> = { readonly [K in keyof T]?: Change<T[K]> };

/** What may be done to an attribute of type `V`: replaced by a value, or changed by an operator. */
export type Change<V> =
  | Exclude<V, undefined>
  | ChangeOperator<Exclude<V, undefined>>
  | (undefined extends V ? Op<'remove'> : never);

// The tuples keep unions together: `number | string` is no number, so it cannot be added to.
type ChangeOperator<V> =
  | Op<'ifNotExists', V>
  | ([V] extends [number | bigint] ? Op<'add', number | bigint> : never)
  | ([V] extends [readonly (infer E)[]] ? Op<'append' | 'prepend', readonly E[]> : never)
  | ([V] extends [ReadonlySet<infer E>] ? Op<'union' | 'difference', ReadonlySet<E>> : never);

/** What must be true of an item: conditions on its attributes, or an expression, or several of both. All must hold. */
export type Conditions<T> = AttributeConditions<T> | Raw | readonly (AttributeConditions<T> | Raw)[];

/** For each attribute the value that it must have, or an operator that fits its type. */
export type AttributeConditions<T> = { readonly [K in keyof T]?: Condition<T[K]> };

/** What may be asked of an attribute of type `V`. */
export type Condition<V> = Exclude<V, undefined> | ConditionOperator<Exclude<V, undefined>>;

// Asking is harmless where the type does not fit, so for a union it is enough that one member does.
type ConditionOperator<V> =
  | Op<'eq' | 'ne', V>
  | Op<'oneOf', readonly V[]>
  | Op<'exists' | 'notExists'>
  | IfAny<Ordered<V>, Op<Order, Ordered<V>> | Op<'between', readonly [Ordered<V>, Ordered<V>]>>
  | IfAny<Prefixed<V>, Op<'beginsWith', Prefixed<V>>>
  | IfAny<ElementOf<V>, Op<'contains', ElementOf<V>>>;

/** What the key of a query may ask: equality of the partition key, and one condition on the sort key. */
export type KeyConditions<T> = { readonly [K in keyof T]?: KeyCondition<Exclude<T[K], undefined>> };

/** What the key of a query may ask of an attribute of type `V`. */
export type KeyCondition<V> =
  | V
  | Op<'eq', V>
  | IfAny<Ordered<V>, Op<Order, Ordered<V>> | Op<'between', readonly [Ordered<V>, Ordered<V>]>>
  | IfAny<Prefixed<V>, Op<'beginsWith', Prefixed<V>>>;

type Order = 'gt' | 'gte' | 'lt' | 'lte';
type IfAny<V, Then> = [V] extends [never] ? never : Then;

// Widened, because 'a' < status makes sense for `status: 'free' | 'booked'` too.
type Ordered<V> = V extends number | bigint ? number | bigint : Prefixed<V>;
type Prefixed<V> = V extends string ? string : V extends Uint8Array ? Uint8Array : never;
type ElementOf<V> = V extends string
  ? string
  : V extends readonly (infer E)[] | ReadonlySet<infer E>
    ? E
    : never;
