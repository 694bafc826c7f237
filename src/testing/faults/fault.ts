import type { Clock } from '../../fence/clock.ts';
import type { SdkRequest, SdkResponse } from '../request-handler.ts';
import type { WireRequest } from './wire-request.ts';

/** What a `requestHandler` answers. */
export interface Answer {
  readonly response: SdkResponse;
}

/** One request on its way through a fault. */
export interface Passage {
  readonly request: WireRequest;
  readonly http: SdkRequest;
  readonly clock: Clock;
  /**
   * Lets the request through. It may be called later, never, or several times: each call is a copy on the
   * wire. It does not matter whether the caller still waits: a wire does not know.
   *
   * @param http what to send instead of the request itself.
   */
  deliver(http?: SdkRequest): Promise<Answer>;
  /** Resolves once this many later requests have come back, faulty or not. */
  passed(requests: number): Promise<void>;
  /** Keeps the wire from being idle until this is over, and gives it back. */
  keep<T>(work: Promise<T>): Promise<T>;
}

/** Something that can go wrong with a request. One value can be used in several rules. */
export interface Fault {
  /** What the log calls it. */
  readonly name: string;
  /** What becomes of one request: the answer that the caller sees, or the error. */
  inject(passage: Passage): Promise<Answer>;
}
