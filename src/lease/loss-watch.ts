import { type Backoff, fullJitter } from '../fence/backoff.ts';
import { onAbort } from '../fence/on-abort.ts';
import type { LeaseContext } from './lease-context.ts';
import type { CanTellLoss, Gone, GrantInQuestion, Newer, TokenSource } from './token-source.ts';

/** After a source that could not tell. */
const backoff: Backoff = { baseMs: 100, capMs: 5_000 };

/**
 * Has a source that can do it tell when a grant is over, until the signal aborts. What it throws is no reason to believe anything: it is
 * asked again. Like a heartbeat it keeps no process alive, and throws nowhere.
 */
export function watchLoss(
  { source, clock, random }: Pick<LeaseContext, 'source' | 'clock' | 'random'>,
  { resource, holder, token }: GrantInQuestion,
  signal: AbortSignal,
  onLoss: (answer: Gone | Newer) => void,
): void {
  if (!canTellLoss(source)) return;
  let cancel = () => {};
  onAbort(signal, () => cancel());
  const ask = async (attempt: number): Promise<void> => {
    if (signal.aborted) return;
    try {
      const answer = await source.whenGone({ resource, holder, token }, signal);
      if (!signal.aborted) onLoss(answer);
    } catch {
      if (signal.aborted) return;
      const again = () => void ask(attempt + 1);
      cancel = clock.after(fullJitter(attempt, backoff, random), again, { unref: true });
    }
  };
  void ask(1);
}

/** Whether a source can tell that a grant is over. */
export function canTellLoss<S extends TokenSource>(source: S): source is S & CanTellLoss {
  return typeof (source as Partial<CanTellLoss>).whenGone === 'function';
}
