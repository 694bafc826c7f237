import type { CallOptions } from '../fence/call-options.ts';
import type { Deadline } from '../fence/deadline.ts';
import { callOptions, flag, type OptionChecks } from '../fence/options.ts';
import { within } from '../fence/within.ts';
import type { Wire } from './client.ts';
import { objectionOf, type Place, takeTurn } from './turn.ts';

/** How a write is made. */
export interface WriteOptions extends CallOptions {
  /**
   * Let no copy of the write leave once the lease is over by this process's own clock. Default false: the storage
   * decides, and accepts a late write as long as nobody newer has written. It holds for the call: `resolve()`, which
   * asks what became of it, sends all the same.
   */
  readonly whileHeld?: boolean;
}

/** What they must be. */
export const writeOptions: OptionChecks<WriteOptions> = { ...callOptions, whileHeld: flag };

/** What is sent under one or several fences. */
export interface FencedWork<Result> {
  /** The answer of a fence that is known to be fenced: nothing is sent then. */
  readonly known: () => Result | undefined;
  /** Sends. `objection` says what has come to speak against sending, under these fences and as the caller wants it. */
  readonly send: (deadline: Deadline, objection: () => Error | undefined) => Promise<Result>;
}

/**
 * Does what has to wait for its turn among the other writes of its fences, within the bounds of one call.
 *
 * @throws LeaseReleasedError, LeaseExpiredError, UnavailableError where its turn does not come in time, and
 * what the work throws.
 */
export async function inTurn<Result>(
  wire: Wire,
  places: readonly Place[],
  options: WriteOptions,
  { known, send }: FencedWork<Result>,
): Promise<Result> {
  const { whileHeld = false } = options;
  const check = () => {
    for (const { session } of places) session.assertUsable(whileHeld);
    return known();
  };
  return within(wire.clock, options, async (deadline) => {
    const before = check();
    if (before !== undefined) return before;
    const turn = await takeTurn(places, deadline);
    try {
      // Much may have happened while it waited.
      const meanwhile = check();
      if (meanwhile !== undefined) return meanwhile;
      return await send(deadline, () => objectionOf(places, whileHeld));
    } finally {
      turn.leave();
    }
  });
}
