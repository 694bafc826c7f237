import assert from 'node:assert/strict';
import { type Clock, systemClock } from '../../fence/clock.ts';
import { Deadline } from '../../fence/deadline.ts';
import type { FencingToken } from '../../fence/token.ts';
import type {
  CanInspect,
  CanRaise,
  CanTakeOver,
  CanTellLoss,
  GrantRequest,
  TokenSource,
} from '../../lease/token-source.ts';

/** What a source may offer beside the port itself. */
export interface Offers {
  readonly takeOver: CanTakeOver;
  readonly inspect: CanInspect;
  readonly raise: CanRaise;
  readonly whenGone: CanTellLoss;
}

/** A source without a single lease, and the time that it lives in. */
export interface FreshTokenSource {
  readonly source: TokenSource & Partial<CanTakeOver & CanInspect & CanRaise & CanTellLoss>;
  /** The clock that the source goes by, in ms since the epoch. */
  now(): number;
  /** Lets that much time pass there, in ms; for a server with a clock of its own, by waiting. */
  advance(ms: number): Promise<void>;
  /** Time for deadlines; default the system's. */
  readonly clock?: Clock;
}

/** How the grants of a source end. */
export interface Ending {
  readonly ttlMs: number;
  readonly endsLateMs: number;
  readonly renewsLate: boolean;
}

/** A source as the cases question it: with short words for requests whose details do not matter. */
export class Probe {
  readonly source: FreshTokenSource['source'];
  readonly ttlMs: number;
  readonly now: () => number;
  readonly advance: (ms: number) => Promise<void>;
  readonly renewsLate: boolean;
  readonly #endsLateMs: number;
  readonly #clock: Clock;

  constructor(fresh: FreshTokenSource, { ttlMs, endsLateMs, renewsLate }: Ending) {
    this.source = fresh.source;
    this.ttlMs = ttlMs;
    this.renewsLate = renewsLate;
    this.#endsLateMs = endsLateMs;
    this.now = () => fresh.now();
    this.advance = (ms) => fresh.advance(ms);
    this.#clock = fresh.clock ?? systemClock;
  }

  /** Lets a grant that was made or renewed just now end. */
  untilOver(): Promise<void> {
    return this.advance(this.ttlMs + this.#endsLateMs);
  }

  /** Asks the source something within a deadline. */
  async ask<T>(question: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = new Deadline(this.#clock, undefined);
    try {
      return await question(deadline);
    } finally {
      deadline[Symbol.dispose]();
    }
  }

  request(holder: string, more: Partial<GrantRequest> = {}): GrantRequest {
    return { resource: 'r', holder, ttlMs: this.ttlMs, above: 0, ...more };
  }

  acquire(holder: string, more?: Partial<GrantRequest>) {
    return this.ask((deadline) => this.source.acquire(this.request(holder, more), deadline));
  }

  /** Acquires what must be free. */
  async granted(holder: string, more?: Partial<GrantRequest>) {
    return is('granted', await this.acquire(holder, more));
  }

  renew(holder: string, token: FencingToken, ttlMs = this.ttlMs) {
    return this.ask((deadline) => this.source.renew({ resource: 'r', holder, token, ttlMs }, deadline));
  }

  release(holder: string, token: FencingToken | undefined) {
    return this.ask((deadline) => this.source.release({ resource: 'r', holder, token }, deadline));
  }

  takeOver(holder: string, from: FencingToken, more?: Partial<GrantRequest>) {
    const takeOver = this.#offered('takeOver');
    return this.ask((deadline) => takeOver({ ...this.request(holder, more), from }, deadline));
  }

  inspect(resource = 'r') {
    const inspect = this.#offered('inspect');
    return this.ask((deadline) => inspect(resource, deadline));
  }

  whenGone(holder: string, token: FencingToken, signal: AbortSignal = new AbortController().signal) {
    return this.#offered('whenGone')({ resource: 'r', holder, token }, signal);
  }

  async raised(above: number) {
    const raise = this.#offered('raise');
    return is('raised', await this.ask((deadline) => raise({ resource: 'r', above }, deadline)));
  }

  #offered<K extends keyof Offers>(capability: K): Offers[K][K & keyof Offers[K]] {
    const method = this.source[capability];
    assert.ok(method !== undefined, `the source offers ${capability}`);
    return method.bind(this.source) as Offers[K][K & keyof Offers[K]];
  }
}

/** Makes sure which answer it is. */
export function is<Answer extends { readonly is: string }, Is extends Answer['is']>(
  expected: Is,
  answer: Answer,
): Extract<Answer, { readonly is: Is }> {
  assert.equal(answer.is, expected, `the answer is ${JSON.stringify(answer)}`);
  return answer as Extract<Answer, { readonly is: Is }>;
}
