import { Channels } from './channels.ts';
import type { RedisConnection } from './connection.ts';
import { notSentWhere } from './not-sent.ts';

/** What is used of a client of `redis` (node-redis). */
export interface NodeRedisClient {
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** A second connection, of the same options. */
  duplicate(): NodeRedisSubscriber;
}

/** What is used of its duplicate. */
export interface NodeRedisSubscriber {
  /** Opens it. */
  connect(): Promise<unknown>;
  /** Listens to a channel. */
  subscribe(channel: string, listener: (message: string, channel: string) => void): Promise<unknown>;
  /** Listens to it no more. */
  unsubscribe(channel: string): Promise<unknown>;
  /** For `error` and `end`. */
  on(event: string, listener: () => void): unknown;
  /** Ends it, and connects no more. */
  destroy(): void;
}

/**
 * Lets a source talk over a client of [node-redis](https://www.npmjs.com/package/redis), tested with 6.3.
 *
 * @param client yours, connected, and yours to close. While somebody waits for a lease there is a second connection, its `duplicate()`.
 * @returns a connection for `redisTokenSource`.
 * @example
 * const client = await createClient({ url: 'redis://127.0.0.1:6379' }).connect();
 * const source = redisTokenSource({ connection: fromNodeRedis(client) });
 */
export function fromNodeRedis(client: NodeRedisClient): RedisConnection {
  const channels = new Channels(async (heard, lost) => {
    const subscriber = client.duplicate();
    // It would connect again by itself, but nobody would know what was said meanwhile.
    subscriber.on('error', lost);
    subscriber.on('end', lost);
    const listener = (_: string, channel: string) => heard(channel);
    await subscriber.connect();
    return {
      subscribe: (channel) => subscriber.subscribe(channel, listener),
      unsubscribe: (channel) => subscriber.unsubscribe(channel),
      close: () => subscriber.destroy(),
    };
  });
  return {
    async run(script, keys, args) {
      try {
        return await client.eval(script, { keys: [...keys], arguments: [...args] });
      } catch (error) {
        throw notSentWhere(/^The client is (closed|offline)$/, error);
      }
    },
    subscribe: (channel, wake) => channels.listen(channel, wake),
  };
}
