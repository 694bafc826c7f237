/**
 * Fencing tokens for DynamoDB: leases that issue them, writes that carry them, and a storage that refuses
 * the stale ones.
 *
 * @module dynamodb-fenced
 */

export { defaultAttributes, type HiddenAttributes } from './dynamo/attributes.ts';
// Operators: what to do to an attribute, or to ask of it. Also under `dynamodb-fenced/expressions`.
export { add, append, difference, ifNotExists, prepend, remove, union } from './dynamo/change-operators.ts';
export type { DynamoDBClientLike } from './dynamo/client.ts';
export {
  beginsWith,
  between,
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
export type { WriteOptions } from './dynamo/in-turn.ts';
export type { CheckVerdict, LeaseCheck } from './dynamo/lease-check.ts';
export type { Changes, Conditions, KeyConditions, Raw } from './dynamo/operators.ts';
export { raw } from './dynamo/raw.ts';
export type { Plan, ReadPlan, Step } from './dynamo/step.ts';
export { UnreadableValueError } from './dynamo/unreadable-value.ts';
export type { CallOptions } from './fence/call-options.ts';
// Time and randomness as parameters, and the bounds of a call.
export type { Clock, TimerOptions } from './fence/clock.ts';
export type { Deadline } from './fence/deadline.ts';
// Errors: faults are thrown. Tell them by `code`, or by these functions.
export {
  CorruptFenceError,
  FencedError,
  FencingError,
  type FencingErrorCode,
  fencedIn,
  InvalidInputError,
  isFenced,
  isFencingError,
  isOutcomeUnknown,
  LeaseExpiredError,
  LeaseReleasedError,
  type NextStep,
  OutcomeUnknownError,
  RefusedError,
  type ResolveOptions,
  TokenExhaustedError,
  UnavailableError,
  UnfencedItemError,
} from './fence/errors.ts';
// Fences: a resource and the token that was granted for it.
export { type Fence, fence, formatFence, type NumberedRequest, parseFence } from './fence/fence.ts';
export type { Random } from './fence/random.ts';
// Results: decisions are values; unwrap() turns refusals into exceptions for those who want them.
export type {
  Applied,
  ClaimResult,
  Contention,
  DeleteResult,
  Fenced,
  FenceRefusal,
  Lost,
  NotFound,
  NotMet,
  Refusal,
  RefusalReason,
  Superseded,
  TokenReused,
  WriteResult,
  Written,
} from './fence/result.ts';
export { type FencingToken, fencingToken, MAX_FENCING_TOKEN } from './fence/token.ts';
export { unwrap } from './fence/unwrap.ts';
// Leases: grants for a limited time that issue the tokens.
export type { Lease, LeaseJSON } from './lease/lease.ts';
export { LeaseManager } from './lease/lease-manager.ts';
export type {
  AcquireOptions,
  GrantOptions,
  HeartbeatOptions,
  LeaseManagerOptions,
  RaiseOptions,
} from './lease/lease-options.ts';
export type {
  AcquireAllResult,
  AcquireResult,
  Held,
  Leases,
  RenewResult,
  TakeOverResult,
  UsingResult,
} from './lease/lease-result.ts';
export { defaultLeaseAttributes, type LeaseAttributes } from './lease/sources/dynamo/lease-attributes.ts';
export type { LeaseKey } from './lease/sources/dynamo/lease-table.ts';
export {
  type DynamoTokenSource,
  type DynamoTokenSourceOptions,
  dynamoTokenSource,
  type UncheckedDynamoTokenSource,
  type UncheckedDynamoTokenSourceOptions,
} from './lease/sources/dynamo.ts';
export { type MemoryTokenSource, memoryTokenSource } from './lease/sources/memory.ts';
// The port, for sources of your own: what it offers, what it is asked, and what it answers.
export type {
  CanCheck,
  CanInspect,
  CanRaise,
  CanTakeOver,
  CanTellLoss,
  CanWait,
  Gone,
  GrantEnd,
  Granted,
  GrantInQuestion,
  GrantRequest,
  HeldBySomebody,
  LeaseRecord,
  Newer,
  Raised,
  RaiseRequest,
  Released,
  ReleaseRequest,
  Renewed,
  RenewRequest,
  TakeOverRequest,
  TokenSource,
  Undecided,
  WaitRequest,
} from './lease/token-source.ts';
// The outbox: messages to what cannot be fenced, written with what they tell of and delivered afterwards.
export type { MessageId } from './outbox/message-key.ts';
export { Outbox, type OutboxOptions } from './outbox/outbox.ts';
export { type OutboxRow, outboxTable } from './outbox/outbox-table.ts';
export type { Delivery, Handler, Relayed, RelayOptions } from './outbox/relay-options.ts';
// The repository: items whose every write is checked by the storage.
export { FencedRepository } from './repository/fenced-repository.ts';
export type { Inspection } from './repository/inspect.ts';
export type { KeyAttributes, KeyDefinition, KeyValue } from './repository/key-schema.ts';
export type {
  CheckOptions,
  ConditionalWriteOptions,
  ConditionOptions,
  FencedRepositoryOptions,
  UpdateOptions,
} from './repository/options.ts';
export type { PageOptions } from './repository/page-options.ts';
export type { FoundItems, Items, Page } from './repository/pages.ts';
export type { Plans } from './repository/plans.ts';
export type { QueryOptions, ScanOptions } from './repository/query.ts';
export type { Versioned } from './repository/table.ts';
export { transact } from './transaction/transact.ts';
// Transactions: several items at one moment, each write under its own fence.
export { type Found, type Reads, transactGet } from './transaction/transact-get.ts';
export type {
  StepPlace,
  StepRefusal,
  Steps,
  Transacted,
  TransactRefused,
  TransactResult,
  Versions,
} from './transaction/transact-result.ts';
