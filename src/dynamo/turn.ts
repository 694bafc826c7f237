import { abortable } from '../fence/abortable.ts';
import type { Deadline } from '../fence/deadline.ts';
import { UnavailableError } from '../fence/errors.ts';
import type { Turn } from '../fence/key-queue.ts';
import type { Session } from '../fence/session.ts';

/**
 * Waits for its turn in the queues of these keys, which are joined before this function first yields.
 *
 * @throws UnavailableError where the deadline comes first; the reason of the caller's signal where that does.
 */
export async function takeTurn(session: Session, keys: readonly string[], deadline: Deadline): Promise<Turn> {
  const turn = session.join(keys);
  try {
    await abortable(turn.ready, deadline.signal);
    if (deadline.over) throw deadline.signal.reason;
    return turn;
  } catch (cause) {
    turn.leave();
    if (deadline.abortedByCaller) throw cause;
    throw new UnavailableError(
      `The write to ${session.resource} was not sent: earlier writes of its lease to the same item took the whole ${deadline.timeoutMs} ms.`,
      { cause, advice: 'Call again when they are over, or with a longer timeoutMs.' },
    );
  }
}
