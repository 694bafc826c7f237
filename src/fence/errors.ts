import { describeRefusal } from './describe-refusal.ts';
import type { Applied, Fenced, Refusal, RefusalReason } from './result.ts';

// A registered symbol, so that two copies of this package in one process know each other's errors.
const brand = Symbol.for('dynamodb-fenced.error');

/** Every code that an error of this library can carry. The refusals carry their reason as code. */
export type FencingErrorCode =
  | RefusalReason
  | 'invalid-input'
  | 'unavailable'
  | 'outcome-unknown'
  | 'corrupt-fence'
  | 'token-exhausted'
  | 'unfenced-item'
  | 'unreadable-value'
  | 'lease-expired'
  | 'lease-released';

/** What to do with an error: `final` – change something first; `retry` – the same call may be made again; `resolve` – ask what happened first. */
export type NextStep = 'final' | 'retry' | 'resolve';

/**
 * The base of everything that this library throws. Tell errors by `code`, or by the `is…` functions; never
 * by `instanceof`, which fails across two copies of the package.
 */
export class FencingError extends Error {
  override readonly name: string = 'FencingError';
  /** One word for programs; the heading of its explanation in `docs/results.md`. */
  readonly code: FencingErrorCode;
  readonly next: NextStep;
  /** Where the package's documentation explains it. */
  readonly docs: string;

  constructor(code: FencingErrorCode, next: NextStep, message: string, options?: ErrorOptions) {
    const docs = `docs/results.md#${code}`;
    super(`${message} (${code}: see ${docs} in dynamodb-fenced)`, options);
    this.code = code;
    this.next = next;
    this.docs = docs;
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * Something that was passed in cannot work. It is thrown before anything is sent. Two things are only known later, and are
 * thrown before the write: what the change of a `modify` returned, after its claim, and whether an index can be read.
 */
export class InvalidInputError extends FencingError {
  override readonly name = 'InvalidInputError';
  /** Where in the input the fault is, as `item.lines[2].price`. */
  readonly path: string;

  constructor(path: string, problem: string, advice: string, options?: ErrorOptions) {
    super('invalid-input', 'final', `${path}: ${problem}. ${advice}`, options);
    this.path = path;
  }
}

/** What the error of an outage may be given. */
export interface OutageOptions extends ErrorOptions {
  /** What to do next, in a sentence: an outage of the network needs another step than throttling does. */
  readonly advice?: string;
}

/** No copy of the request was evaluated, or it was only a read: nothing was applied, and the call may be made again. */
export class UnavailableError extends FencingError {
  override readonly name = 'UnavailableError';
  readonly applied: Applied = 'no';

  constructor(message: string, { advice, ...options }: OutageOptions = {}) {
    const next = advice ?? 'Check the endpoint, the network and the credentials, then call again.';
    super('unavailable', 'retry', `${message} Nothing was applied. ${next}`, options);
  }
}

/** How {@link OutcomeUnknownError.resolve} may be bounded. */
export interface ResolveOptions {
  /** For the whole call, in ms; default 10,000. */
  readonly timeoutMs?: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

/**
 * A copy of the request may have been applied and no answer decides. `cause` is the SDK's error.
 * Call {@link OutcomeUnknownError.resolve} before deciding anything; of an item, a claim settles it too.
 */
export class OutcomeUnknownError<R = unknown> extends FencingError {
  override readonly name = 'OutcomeUnknownError';
  readonly applied: Applied = 'unknown';
  readonly #resolve: (options?: ResolveOptions) => Promise<R>;

  constructor(
    message: string,
    resolve: (options?: ResolveOptions) => Promise<R>,
    { advice, ...options }: OutageOptions = {},
  ) {
    const next =
      advice ?? 'Call resolve() on this error, or claim the item, before you decide on what you read.';
    super('outcome-unknown', 'resolve', `${message} It may or may not have been applied. ${next}`, options);
    this.#resolve = resolve;
  }

  /**
   * Finds out what became of it. A write under a lease is sent again, the very same bytes, which can never apply
   * it twice; one under a bare fence, which is sent once, is looked for. A step of a lease is asked for again;
   * an acquire ends what it may have been granted before.
   *
   * @returns the result that the call itself would have answered.
   * @throws an {@link OutcomeUnknownError} once more, if it is still unknown.
   */
  resolve(options?: ResolveOptions): Promise<R> {
    return this.#resolve(options);
  }
}

/** The stored fence is damaged: it is no number, or none that could ever have been issued. Or the version is that `ifVersion` asked for. */
export class CorruptFenceError extends FencingError {
  override readonly name = 'CorruptFenceError';

  constructor(message: string, options?: ErrorOptions) {
    super(
      'corrupt-fence',
      'final',
      `${message} Nothing can be compared with it, so the write was refused. Find out who wrote it, and repair the row by hand.`,
      options,
    );
  }
}

/** The token counter of a resource stands at 2^53 − 1. */
export class TokenExhaustedError extends FencingError {
  override readonly name = 'TokenExhaustedError';

  constructor(resource: string, options?: ErrorOptions) {
    super(
      'token-exhausted',
      'final',
      `${resource}: no larger token than 2^53 − 1 exists, so no lease can be granted. Somebody has raised the counter that far: move to a new resource name.`,
      options,
    );
  }
}

/** An item without a fence was met by a repository that refuses them (`unfenced: 'refuse'`). */
export class UnfencedItemError extends FencingError {
  override readonly name = 'UnfencedItemError';

  constructor(item: string, options?: ErrorOptions) {
    super(
      'unfenced-item',
      'final',
      `${item} exists without a fence, and this repository refuses such items. Stamp it once with a repository that adopts (unfenced: 'adopt'), or find out who writes around the fence.`,
      options,
    );
  }
}

/** The lease is over by this process's own clock. Nothing was sent. */
export class LeaseExpiredError extends FencingError {
  override readonly name = 'LeaseExpiredError';

  constructor(resource: string, options?: ErrorOptions) {
    super(
      'lease-expired',
      'final',
      `The lease on ${resource} is over by the local clock, and the call asked to be made only while it is held. Renew it, or acquire it again and start over.`,
      options,
    );
  }
}

/** The lease was released here. Nothing was sent. */
export class LeaseReleasedError extends FencingError {
  override readonly name = 'LeaseReleasedError';

  constructor(resource: string, options?: ErrorOptions) {
    super(
      'lease-released',
      'final',
      `The lease on ${resource} was released, so it can be used no more. Acquire it again.`,
      options,
    );
  }
}

/** A refusal as an exception: what `unwrap` throws. `code` is the reason, `result` the refusal itself. */
export class RefusedError<R extends Refusal = Refusal> extends FencingError {
  override readonly name: string = 'RefusedError';
  readonly result: R;

  constructor(result: R, message = describeRefusal(result), options?: ErrorOptions) {
    super(
      result.reason,
      result.reason === 'contention' || result.reason === 'held' ? 'retry' : 'final',
      message,
      options,
    );
    this.result = result;
  }
}

/** The storage saw a newer token. */
export class FencedError extends RefusedError<Fenced> {
  override readonly name = 'FencedError';

  constructor(result: Fenced, options?: ErrorOptions) {
    super(
      result,
      `${result.resource}: token ${result.token} of ${result.holder} is fenced, the storage has seen ${result.lastToken}${
        result.lastHolder === undefined ? '' : ` of ${result.lastHolder}`
      }.${'refused' in result ? ` ${describeRefusal(result)}` : ''} Stop, drop what you computed, and acquire again if there is still work to do.`,
      options,
    );
  }
}

/** Whether this is an error of this library (of any copy of it). */
export function isFencingError(error: unknown): error is FencingError {
  return typeof error === 'object' && error !== null && brand in error;
}

/**
 * The error that says that a newer token was seen: this one, or what other errors were wrapped around. An error of this library
 * says itself what happened, so nothing is looked for behind it: an unknown outcome stays one, whatever caused it.
 *
 * @example
 * const fenced = fencedIn(error);
 * if (fenced !== undefined) log(`${fenced.result.lastHolder} took over with ${fenced.result.lastToken}`);
 */
export function fencedIn(error: unknown): FencedError | undefined {
  const seen = new Set<unknown>();
  for (let e = error; typeof e === 'object' && e !== null && !seen.has(e); e = (e as Error).cause) {
    if (isFencingError(e)) return e.code === 'fenced' ? (e as FencedError) : undefined;
    seen.add(e);
  }
  return undefined;
}

/** Whether this error, or what it was wrapped around, says that a newer token was seen. {@link fencedIn} gives the error. */
export function isFenced(error: unknown): boolean {
  return fencedIn(error) !== undefined;
}

/** Whether this error says that the outcome of a write is unknown. `R` is what the call would have answered, for `resolve()`. */
export function isOutcomeUnknown<R = unknown>(error: unknown): error is OutcomeUnknownError<R> {
  return isFencingError(error) && error.code === 'outcome-unknown';
}
