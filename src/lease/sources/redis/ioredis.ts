import { Channels } from './channels.ts';
import type { RedisConnection } from './connection.ts';
import { notSent, notSentWhere } from './not-sent.ts';

/** What is used of a client of `ioredis`, a `Redis` or a `Cluster`. */
export interface IoredisClient {
  /** `end` once it is closed for good. */
  readonly status?: string;
  /** Runs a script. */
  eval(script: string, numberOfKeys: number, ...keysAndArgs: string[]): Promise<unknown>;
  /** A second connection, of the same options. */
  duplicate(): IoredisSubscriber;
}

/** What is used of its duplicate. */
export interface IoredisSubscriber {
  /** Listens to a channel. */
  subscribe(channel: string): Promise<unknown>;
  /** Listens to it no more. */
  unsubscribe(channel: string): Promise<unknown>;
  /** For `message`, `error` and `close`. */
  on(event: string, listener: (...args: string[]) => void): unknown;
  /** Ends it, and connects no more. */
  disconnect(): void;
}

/**
 * Lets a source talk over a client of [ioredis](https://www.npmjs.com/package/ioredis), tested with 6.0.
 *
 * @param client yours, and yours to close. While somebody waits for a lease there is a second connection, its `duplicate()`.
 * @returns a connection for `redisTokenSource`.
 * @example
 * const source = redisTokenSource({ connection: fromIoredis(new Redis('redis://127.0.0.1:6379')) });
 */
export function fromIoredis(client: IoredisClient): RedisConnection {
  const channels = new Channels(async (heard, lost) => {
    const subscriber = client.duplicate();
    subscriber.on('message', (channel) => heard(channel as string));
    // It would connect again by itself, but nobody would know what was said meanwhile.
    subscriber.on('error', lost);
    subscriber.on('close', lost);
    return {
      subscribe: (channel) => subscriber.subscribe(channel),
      unsubscribe: (channel) => subscriber.unsubscribe(channel),
      close: () => subscriber.disconnect(),
    };
  });
  return {
    async run(script, keys, args) {
      // Asked before: what was cut off when the connection ended is told in the same words.
      if (client.status === 'end') throw notSent(new Error('Connection is closed.'));
      try {
        return await client.eval(script, keys.length, ...keys, ...args);
      } catch (error) {
        // What is not kept for a connection to come is turned away at once.
        throw notSentWhere(/^Stream isn't writeable/, error);
      }
    },
    subscribe: (channel, wake) => channels.listen(channel, wake),
  };
}
