import { classifyCancellation } from './cancellation.ts';

/**
 * What the failure of one copy of a request says about that copy.
 * - `refused`: the storage evaluated its condition, which was false. It was not applied.
 * - `throttled`, `conflict`: turned away before it was evaluated. It was not applied; another copy may be.
 * - `in-progress`: a copy of this very transaction is being carried out. This one was not applied; that one may be.
 * - `misdated`: turned away because its signature was of another time. The client has set its clock right since, so another copy may pass.
 * - `never-left`: no connection came about, so it did not reach the service. Another copy may.
 * - `unsendable`: it failed before it was handed to the transport (credentials, input). Another would too.
 * - `fault`: the service will never accept it (validation, permissions, no such table). It was not applied.
 * - `undecided`: it may have been applied: a 5xx, a reset, a timeout, an answer that cannot be read.
 */
export type WireFailure =
  | 'refused'
  | 'throttled'
  | 'conflict'
  | 'in-progress'
  | 'misdated'
  | 'never-left'
  | 'unsendable'
  | 'fault'
  | 'undecided';

const throttled = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'RequestThrottledError',
  'TooManyRequestsException',
  'LimitExceededException',
  'SlowDown',
  'BandwidthLimitExceeded',
  'PriorRequestNotComplete',
  'TransactionThrottledException',
]);

// Another request holds the item for a moment: a transaction, or a write to it in another Region.
const conflicts = new Set(['TransactionConflictException', 'ReplicatedWriteConflictException']);

// What the SDK takes for a clock that is wrong. A process that was frozen meets it on its first request afterwards.
const misdated = new Set([
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
]);

// No address was found, so there was nobody to connect to.
const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN']);

// The operating system's word that no connection came about, so no byte of the request went out.
const unconnected = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL']);

/**
 * Tells what became of a copy from the error that it ended with. Errors are told by name: `instanceof`
 * fails when a second copy of the SDK is installed, and messages differ between engines.
 *
 * @param error what the SDK threw.
 * @param departed whether the request had been handed to the transport at all.
 */
export function classify(error: unknown, departed: boolean): WireFailure {
  if (connectionFailed(error)) return 'never-left';
  if (!departed) return 'unsendable';
  const name = errorName(error);
  if (name === 'ConditionalCheckFailedException') return 'refused';
  if (name === 'TransactionCanceledException') return classifyCancellation(error);
  if (name === 'TransactionInProgressException') return 'in-progress';
  if (throttled.has(name)) return 'throttled';
  if (conflicts.has(name)) return 'conflict';
  const { httpStatusCode: status, clockSkewCorrected } = metadataOf(error);
  if (status === 429) return 'throttled';
  if (misdated.has(name) && clockSkewCorrected === true) return 'misdated';
  // 408 and 499 come from something between us and the service, which may have passed the request on.
  const decided = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 499;
  return decided && name.endsWith('Exception') ? 'fault' : 'undecided';
}

/** The name of an AWS error, wherever the layer that made it has put it. */
export function errorName(error: unknown): string {
  const { name, __type, Code, code } = (error ?? {}) as Record<string, unknown>;
  const candidates = [name === 'Error' ? undefined : name, __type, Code, code, name];
  const found = candidates.find((candidate) => typeof candidate === 'string' && candidate !== '');
  // As com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException
  return String(found ?? '').replace(/^.*#/, '');
}

function metadataOf(error: unknown): { httpStatusCode?: number; clockSkewCorrected?: boolean } {
  return (error as { $metadata?: object } | undefined)?.$metadata ?? {};
}

function connectionFailed(error: unknown): boolean {
  const { code, errors, syscall } = (error ?? {}) as Record<'code' | 'errors' | 'syscall', unknown>;
  // With several addresses Node reports one error for each of them.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(connectionFailed);
  if (typeof code !== 'string') return false;
  // The same codes end a read on a connection that stood, when the network goes down behind a request.
  const connecting = syscall === undefined || syscall === 'connect';
  return unresolved.has(code) || (connecting && unconnected.has(code));
}
