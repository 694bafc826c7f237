import { type CallOptions, Deadline } from '../fence/deadline.ts';
import type { Wire } from './client.ts';
import { type Place, takeTurn } from './turn.ts';

/** How a write is made. */
export interface WriteOptions extends CallOptions {
  /**
   * Send no copy of the write once the lease is over by this process's own clock. Default false: the storage
   * decides, and accepts a late write as long as nobody newer has written.
   */
  readonly whileHeld?: boolean;
}

/** What is sent under one or several fences. */
export interface FencedWork<Result> {
  /** The answer of a fence that is known to be fenced: nothing is sent then. */
  readonly known: () => Result | undefined;
  /** Sends. `wanted` says whether a further copy may go out, as far as the caller is concerned. */
  readonly send: (deadline: Deadline, wanted: () => boolean) => Promise<Result>;
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
  const deadline = new Deadline(wire.clock, options);
  const check = () => {
    for (const { session } of places) session.assertUsable(whileHeld);
    return known();
  };
  try {
    const before = check();
    if (before !== undefined) return before;
    const turn = await takeTurn(places, deadline);
    try {
      // Much may have happened while it waited.
      const meanwhile = check();
      if (meanwhile !== undefined) return meanwhile;
      return await send(deadline, () => !(whileHeld && places.some(({ session }) => session.expired)));
    } finally {
      turn.leave();
    }
  } finally {
    deadline[Symbol.dispose]();
  }
}
