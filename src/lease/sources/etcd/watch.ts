import { bytesIn, flagIn, objectIn, objectsIn } from './answers.ts';
import { EtcdError } from './etcd-error.ts';
import type { Gateway } from './gateway.ts';
import { watchFrom } from './txn.ts';

/** What happened to a key: what it holds now, or undefined where it is gone. */
export interface Change {
  readonly value: string | undefined;
}

/**
 * Waits until something that matters happens to a key.
 *
 * @param revision from which on; what happened since then is told too.
 * @throws where the stream ends, as nobody knows what would have been told.
 */
export async function untilChange(
  gateway: Gateway,
  key: string,
  revision: bigint,
  matters: (change: Change) => boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const said of gateway.stream('watch', watchFrom(key, revision), signal)) {
      const result = objectIn(said, 'result');
      if (flagIn(result, 'canceled')) throw new EtcdError('etcd has ended the watch');
      const changes = objectsIn(result, 'events').map((event): Change => {
        return { value: event.type === 'DELETE' ? undefined : bytesIn(objectIn(event, 'kv'), 'value') };
      });
      if (changes.some(matters)) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  signal.throwIfAborted();
  throw new EtcdError('the watch has broken off');
}
