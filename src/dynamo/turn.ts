import { abortable } from '../fence/abortable.ts';
import type { Deadline } from '../fence/deadline.ts';
import { UnavailableError } from '../fence/errors.ts';
import type { Turn } from '../fence/key-queue.ts';
import type { Session } from '../fence/session.ts';

/** The queues of one fence that a request stands in. */
export interface Place {
  readonly session: Session;
  readonly keys: readonly string[];
}

/** What speaks against sending anything more under these fences. */
export function objectionOf(places: readonly Place[], whileHeld: boolean): Error | undefined {
  for (const { session } of places) {
    const objection = session.objection(whileHeld);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

/**
 * Waits for its turn in all of these queues, which are joined before this function first yields. So whoever
 * stands in several stands in the same order in each, and no two can wait for each other.
 *
 * @throws UnavailableError where the deadline comes first; the reason of the caller's signal where that does.
 */
export async function takeTurn(places: readonly Place[], deadline: Deadline): Promise<Turn> {
  const turn = joinAll(places);
  try {
    await abortable(turn.ready, deadline.signal);
    if (deadline.over) throw deadline.signal.reason;
    return turn;
  } catch (cause) {
    turn.leave();
    if (deadline.abortedByCaller) throw cause;
    const resources = places.map(({ session }) => session.resource).join(', ');
    throw new UnavailableError(
      turn.hasOthersAhead
        ? `The write to ${resources} was not sent: earlier writes of its lease to the same item took the whole ${deadline.timeoutMs} ms.`
        : `The write to ${resources} was not sent: its ${deadline.timeoutMs} ms were over before it could be.`,
      {
        cause,
        advice: turn.hasOthersAhead
          ? 'Call again when they are over, or with a longer timeoutMs.'
          : 'Call again, with a longer timeoutMs.',
      },
    );
  }
}

function joinAll(places: readonly Place[]): Turn {
  const turns = places.map(({ session, keys }) => session.join(keys));
  return {
    hasOthersAhead: turns.some(({ hasOthersAhead }) => hasOthersAhead),
    ready: Promise.all(turns.map(({ ready }) => ready)).then(() => undefined),
    leave: () => {
      for (const turn of turns) turn.leave();
    },
  };
}
