import { FencedError, InvalidInputError, LeaseExpiredError, LeaseReleasedError } from './errors.ts';
import { KeyQueue, type Turn } from './key-queue.ts';
import { type Fenced, fencedResult } from './result.ts';
import type { FencingToken } from './token.ts';

/**
 * How a fence may number its requests.
 * - `lease`: one holder, one counter: requests are ordered and may be sent again safely.
 * - `numbered`: the same, for the single request whose number the caller gave.
 * - `bare`: a token that others may carry too: protects against older tokens only, so nothing is sent twice.
 */
export type FenceKind = 'lease' | 'numbered' | 'bare';

/** What a write leaves behind in the item: who wrote it, under which token, as which of its requests. */
export interface Stamp {
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  /** The number of this request among those of its holder. Whole numbers are the caller's; seals take the halves between them. */
  readonly seq: number;
  readonly kind: FenceKind;
}

export interface SessionInit {
  readonly kind: FenceKind;
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  /** The first request number; default 1. */
  readonly seq?: number;
  /** How long the grant still holds by the local clock, in ms; undefined for fences that do not expire. */
  readonly remainingMs?: () => number;
  /** What granted it, told by identity; undefined for a fence that nothing here did. */
  readonly issuer?: object;
  /** Told of every newer token that is met under this fence, also after its end: whoever issues tokens learns from it. */
  readonly onNewer?: (token: FencingToken) => void;
}

/**
 * The life of one fence: the request counter, the order of its writes per key, and what ended it. It hangs
 * on the fence object itself, so that every repository, the kernel and transactions share it. Two counters
 * under one holder would take each other's stamps for their own, and report writes that never happened.
 */
export class Session {
  readonly kind: FenceKind;
  readonly resource: string;
  readonly token: FencingToken;
  readonly holder: string;
  readonly issuer: object | undefined;
  readonly #controller = new AbortController();
  readonly #queue = new KeyQueue();
  readonly #remainingMs: (() => number) | undefined;
  #limitMs: () => number = () => Number.POSITIVE_INFINITY;
  readonly #onNewer: ((token: FencingToken) => void) | undefined;
  #seq: number;
  #spent = false;
  #released = false;
  #fenced: Fenced | undefined;

  constructor(init: SessionInit) {
    this.kind = init.kind;
    this.resource = init.resource;
    this.token = init.token;
    this.holder = init.holder;
    this.issuer = init.issuer;
    this.#seq = init.seq ?? 1;
    this.#remainingMs = init.remainingMs;
    this.#onNewer = init.onNewer;
  }

  /** Aborts when the fence is of no more use, with the error that says why. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The newer token that was seen, once one was. */
  get fenced(): Fenced | undefined {
    return this.#fenced;
  }

  get released(): boolean {
    return this.#released;
  }

  /** How long the grant still holds by the local clock, in ms; undefined for fences that do not expire. */
  get remainingMs(): number | undefined {
    return this.#remainingMs?.();
  }

  /** How long it may still be used at most, in ms, whatever the grant: see {@link Session.limitTo}. */
  get limitMs(): number {
    return this.#limitMs();
  }

  /** Lets it hold no longer here than this says, in ms, however long the grant is: its user's own time is over before. */
  limitTo(limitMs: () => number): void {
    this.#limitMs = limitMs;
  }

  /** Whether the grant is over by the local clock. Never, for fences that do not expire. */
  get expired(): boolean {
    return this.#remainingMs !== undefined && this.#remainingMs() <= 0;
  }

  /** @throws InvalidInputError where the one number that the caller gave is used. */
  assertUnspent(): void {
    if (this.kind === 'numbered' && this.#spent) {
      throw new InvalidInputError(
        'fence',
        `request ${this.#seq} of ${this.holder} was already used`,
        'A fence with a seq of your own carries one logical write: make a new fence with a larger seq for the next one, and with the same seq to send this one again.',
      );
    }
  }

  /** Takes the next request number. Only for a write that is about to leave its queue. */
  nextStamp(): Stamp {
    this.assertUnspent();
    this.#spent = true;
    const seq = this.kind === 'numbered' ? this.#seq : this.#seq++;
    const { resource, token, holder, kind } = this;
    return { resource, token, holder, seq, kind };
  }

  /**
   * Takes the number of a write back that nobody ever evaluated, and nobody can any more: the one number that the caller gave
   * is as good as new then. A lease counts on.
   */
  takeBack(stamp: Stamp): void {
    if (this.kind === 'numbered' && stamp.seq === this.#seq) this.#spent = false;
  }

  /** Joins the queues of these keys, in this very tick. */
  join(keys: readonly string[]): Turn {
    return this.#queue.join(keys);
  }

  /** What speaks against sending under this fence: its release, or, where `whileHeld` is asked, that it is over here. */
  objection(whileHeld = false): Error | undefined {
    if (this.#released) return new LeaseReleasedError(this.resource);
    return whileHeld && this.expired ? new LeaseExpiredError(this.resource) : undefined;
  }

  /** @throws LeaseReleasedError after release; LeaseExpiredError where `whileHeld` is asked and the grant is over here. */
  assertUsable(whileHeld = false): void {
    const objection = this.objection(whileHeld);
    if (objection !== undefined) throw objection;
    if (whileHeld && this.#remainingMs === undefined) {
      throw new InvalidInputError(
        'whileHeld',
        'only a lease knows how long it holds, and this is a bare fence',
        'Leave the option out, or write with the lease itself.',
      );
    }
  }

  /** Remembers that a newer token was seen. The first one stays. */
  markFenced(seen: Pick<Fenced, 'lastToken' | 'lastHolder'>): void {
    this.#onNewer?.(seen.lastToken);
    if (this.#fenced !== undefined) return;
    this.#fenced = fencedResult(this, seen, 'no');
    this.end(new FencedError(this.#fenced));
  }

  markReleased(): void {
    this.#released = true;
    this.end(new LeaseReleasedError(this.resource));
  }

  /** Aborts the signal. An aborted signal stays as it is. */
  end(reason: Error): void {
    this.#controller.abort(reason);
  }
}
