import { type Sequencer, sequencer } from 'dynamodb-fenced/sequencer';

/** How long a changed secret may go unnoticed, in ms. */
const FRESH_MS = 5 * 60_000;

/**
 * What seals and opens fences, with keys from a secret: `{ "current": "…", "previous": "…" }`, the second while keys are changed.
 * The secret is read with the first fence, and again from time to time. While it cannot be, the last keys are good.
 *
 * @param read reads the secret.
 * @param clock says when it is to be read again.
 */
export function sealsOfSecret(
  read: () => Promise<string>,
  clock: Pick<DateConstructor, 'now'> = Date,
): () => Promise<Sequencer> {
  let seals: Sequencer | undefined;
  let staleAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<Sequencer> | undefined;

  const readAgain = async () => {
    try {
      seals = sealsOf(await read());
      staleAtMs = clock.now() + FRESH_MS;
    } catch (error) {
      if (seals === undefined) throw error;
    } finally {
      reading = undefined;
    }
    return seals;
  };

  return async () => {
    if (seals !== undefined && clock.now() < staleAtMs) return seals;
    // Once, for all requests that wait for it.
    reading ??= readAgain();
    return reading;
  };
}

function sealsOf(secret: string): Sequencer {
  const { current, previous } = JSON.parse(secret) as {
    readonly current: string;
    readonly previous?: string;
  };
  const bytes = (key: string) => Buffer.from(key, 'utf8');
  return sequencer(bytes(current), previous === undefined ? {} : { previousKey: bytes(previous) });
}
