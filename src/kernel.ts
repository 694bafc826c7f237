/**
 * The kernel, for programs that keep their own mapper (ElectroDB, dynamodb-toolbox, the plain SDK): the
 * requests of the repository without its sending. You guard your own inputs, send them as you always do, and
 * ask why one was refused.
 *
 * @module dynamodb-fenced/kernel
 */

// What an item looks like with a fence: deleted ones are still there, and readers have to leave them out.
export type { UnfencedPolicy } from './dynamo/admission.ts';
export {
  defaultAttributes,
  type HiddenAttributes,
  type Item,
  isLive,
  versionOf,
} from './dynamo/attributes.ts';

// Inputs in, inputs out: pure, for either client and for the actions of a transaction.
export { type ClaimLike, type ClaimOptions, claimInput } from './dynamo/claim-input.ts';
export { type DeleteLike, entomb } from './dynamo/entomb.ts';
// Errors in, reasons out.
export { type ExplainOptions, type Explanation, explain } from './dynamo/explain.ts';
export { type GuardOptions, guard, type PutLike, type UpdateLike } from './dynamo/guard.ts';
export { type CheckLike, type GuardCheckOptions, guardCheck } from './dynamo/guard-check.ts';
export type { AnyValues, FencingOptions, Guarded } from './dynamo/guarded.ts';
export type { ContentReason, Seen, Verdict } from './dynamo/verdict.ts';
// The only call that changes anything: it counts the fence's requests.
export { nextStamp } from './fence/next-stamp.ts';
export type { FenceKind, Stamp } from './fence/session.ts';
