/**
 * The test kit: a DynamoDB in this process, and everything that goes wrong between it and a program. Nothing
 * here is needed in production.
 *
 * @module dynamodb-fenced/testing
 */

// What every implementation of a port must do, for any test runner.
export {
  type ConformanceCase,
  type FreshTokenSource,
  type Offers,
  type TokenSourceConformanceOptions,
  tokenSourceConformance,
} from './conformance/token-source.ts';
// The same faults for programs that run by themselves, on real sockets.
export { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './fault-proxy.ts';
// What can go wrong with a request.
export { type AbortBodyOptions, abortBody, type CutAnswerOptions, cutAnswer } from './faults/cut.ts';
export { type DropResponseOptions, dropResponse } from './faults/drop-response.ts';
export { type Duplicate, type DuplicateOptions, duplicate, type Moment } from './faults/duplicate.ts';
export {
  conflict,
  type ErrorResponse,
  respond,
  type ServerErrorOptions,
  serverError,
  type ThrottleOptions,
  throttle,
} from './faults/error-answers.ts';
export type { Answer, Fault, Passage } from './faults/fault.ts';
export { delay, type Gate, type HoldOptions, pause, type ReorderOptions, reorder } from './faults/holds.ts';
export { hang, refuse, reset } from './faults/lost-requests.ts';
// The wire of the AWS SDK, as a parameter of its clients: with faults, or with a record of what was sent.
export type { FaultRule, RequestFilter } from './faults/rule.ts';
export type { Operation, WireRequest } from './faults/wire-request.ts';
export { type FaultRecord, type FaultsOptions, type FaultyHandler, faults } from './faults.ts';
// A local DynamoDB, in memory or on disk, with or without a socket.
export type { BeforeCommit, PendingWrite } from './local/context.ts';
export { type LocalDynamoDB, type LocalDynamoDBOptions, startLocalDynamoDB } from './local-dynamodb.ts';
export { type ManualClock, manualClock } from './manual-clock.ts';
export { type RecordingHandler, record } from './record.ts';
export type { SdkRequest, SdkRequestHandler, SdkRequestOptions, SdkResponse } from './request-handler.ts';
// Time and chance that a test decides about.
export { seededRandom } from './seeded-random.ts';
export { type SkewedClock, skewedClock } from './skewed-clock.ts';
export type { IndexDefinition, KeyAttribute, TableDefinition } from './table-definition.ts';
