import { sleep } from '../../fence/clock.ts';
import type { Answer, Fault, Passage } from './fault.ts';

/** Where a request is held: on its way there, or its answer on the way back, after it was applied. */
export interface HoldOptions {
  /** Default `request`. */
  readonly at?: 'request' | 'answer';
}

/** A fault that holds requests until it is told to let go. */
export interface Gate extends Fault {
  /** Resolves when the first request has arrived at the gate. */
  readonly reached: Promise<void>;
  /** How many requests are waiting at it. */
  readonly waiting: number;
  /** Opens it for those who wait and for all that come later. */
  release(): void;
}

/**
 * Holds every request that meets it until `release()`: the writer that stands still while others go on. The
 * request is on the wire already, so it arrives after the release even if its caller has given up meanwhile.
 *
 * @example
 * const gate = pause();
 * const wire = faults(db.handler, [{ on: { op: 'PutItem', nth: 1 }, do: gate }]);
 * const late = accounts.put(lease41, item);
 * await gate.reached;
 * // … a newer holder writes …
 * gate.release();
 * await late; // fenced
 */
export function pause(options: HoldOptions = {}): Gate {
  const reached = deferred();
  const opened = deferred();
  let waiting = 0;
  return {
    name: 'pause',
    reached: reached.promise,
    get waiting() {
      return waiting;
    },
    release: opened.resolve,
    inject(passage) {
      return hold(passage, options, async () => {
        waiting++;
        reached.resolve();
        await opened.promise;
        waiting--;
      });
    },
  };
}

/** Slows every request that meets it, by this many ms of the clock of `faults`. */
export function delay(ms: number, options: HoldOptions = {}): Fault {
  return {
    name: 'delay',
    inject: (passage) => hold(passage, options, () => sleep(passage.clock, ms)),
  };
}

/** How far {@link reorder} moves a request. */
export interface ReorderOptions extends HoldOptions {
  /** How many later requests overtake it. Default 1. */
  readonly behind?: number;
  /** Lets go after this many ms, if fewer came. Default 1,000. */
  readonly atMostMs?: number;
}

/** Lets later requests overtake this one: they have been answered before it is delivered. */
export function reorder({ behind = 1, atMostMs = 1_000, ...options }: ReorderOptions = {}): Fault {
  return {
    name: 'reorder',
    inject(passage) {
      return hold(passage, options, async () => {
        const patience = new AbortController();
        await Promise.race([
          passage.passed(behind),
          sleep(passage.clock, atMostMs, patience.signal).catch(() => undefined),
        ]);
        patience.abort();
      });
    },
  };
}

async function hold(
  { deliver, keep }: Passage,
  { at = 'request' }: HoldOptions,
  wait: () => Promise<void>,
): Promise<Answer> {
  if (at === 'request') await keep(wait());
  const answer = await deliver();
  if (at === 'answer') await keep(wait());
  return answer;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((r) => {
    resolve = r;
  });
  return { promise, resolve };
}
