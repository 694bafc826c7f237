/**
 * Operators: what to do to an attribute, or to ask of it, as values.
 *
 * @module dynamodb-fenced/expressions
 */

// What an update changes.
export {
  add,
  append,
  difference,
  ifNotExists,
  prepend,
  remove,
  union,
} from './dynamo/change-operators.ts';

// What must hold: in `when`, and in the key and filter of a query.
export {
  beginsWith,
  between,
  type Comparable,
  contains,
  eq,
  exists,
  gt,
  gte,
  lt,
  lte,
  ne,
  notExists,
  oneOf,
} from './dynamo/condition-operators.ts';
// The types of both, for functions that take or return them.
export type {
  AttributeChanges,
  AttributeConditions,
  Change,
  Changes,
  Condition,
  Conditions,
  KeyCondition,
  KeyConditions,
  Op,
  Operand,
  Raw,
  RawExpression,
} from './dynamo/operators.ts';
// DynamoDB's own language, wherever changes or conditions stand.
export { raw } from './dynamo/raw.ts';
