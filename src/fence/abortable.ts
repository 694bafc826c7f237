import { onAbort } from './on-abort.ts';

/**
 * Waits for a promise, but no longer than until the signal aborts: for work that does not listen to the
 * signal itself. The work goes on unheard then; if it fails, nobody is told.
 *
 * @throws what the promise throws, or the signal's reason.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const leave = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(leave);
  });
}
