import { type EventEmitter, once } from 'node:events';

/**
 * Resolves when the process is to end: by a signal, or since nobody reads its output any more. From then on a signal has its own effect
 * again, so the second one ends the process at once, whichever it is.
 */
export async function interruption(
  signals: EventEmitter = process,
  output: EventEmitter = process.stdout,
): Promise<void> {
  const first = new AbortController();
  const { signal } = first;
  await Promise.race([
    once(signals, 'SIGINT', { signal }),
    once(signals, 'SIGTERM', { signal }),
    once(output, 'error', { signal }),
  ]);
  first.abort();
}
