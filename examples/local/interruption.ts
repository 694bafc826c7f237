import { once } from 'node:events';

/**
 * Resolves when the process is to end: by a signal, or since nobody reads its output any more. From then on a signal has its own effect
 * again, so the second one ends the process at once, whichever it is.
 */
export async function interruption(): Promise<void> {
  const first = new AbortController();
  const { signal } = first;
  await Promise.race([
    once(process, 'SIGINT', { signal }),
    once(process, 'SIGTERM', { signal }),
    once(process.stdout, 'error', { signal }),
  ]);
  first.abort();
}
