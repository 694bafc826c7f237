/**
 * What the failure of one copy of a request says about that copy.
 * - `refused`: the storage evaluated its condition, which was false. It was not applied.
 * - `throttled`, `conflict`: turned away before it was evaluated. It was not applied; another copy may be.
 * - `never-left`: no connection came about, so it did not reach the service. Another copy may.
 * - `unsendable`: it failed before it was handed to the transport (credentials, input). Another would too.
 * - `fault`: the service will never accept it (validation, permissions, no such table). It was not applied.
 * - `undecided`: it may have been applied: a 5xx, a reset, a timeout, an answer that cannot be read.
 */
export type WireFailure =
  | 'refused'
  | 'throttled'
  | 'conflict'
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

// The operating system's word that no connection came about, so no byte of the request went out.
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
]);

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
  if (throttled.has(name)) return 'throttled';
  if (conflicts.has(name)) return 'conflict';
  const status = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata
    ?.httpStatusCode;
  if (status === 429) return 'throttled';
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

function connectionFailed(error: unknown): boolean {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  // With several addresses Node reports one error for each of them.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(connectionFailed);
  return typeof code === 'string' && neverConnected.has(code);
}
