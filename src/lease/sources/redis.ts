/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Leases in Redis, for those who lock there already: grants and fencing tokens for writes to DynamoDB.
 *
 * @module dynamodb-fenced/sources/redis
 */
import { describe } from '../../fence/describe.ts';
import { InvalidInputError } from '../../fence/errors.ts';
import { anything, checkOptions, type OptionChecks } from '../../fence/options.ts';
import type { CanInspect, CanRaise, CanTakeOver, CanWait, TokenSource } from '../token-source.ts';
import type { RedisConnection } from './redis/connection.ts';
import { placesBelow } from './redis/places.ts';
import { acquire, inspect, type Redis, raise, release, renew, takeOver } from './redis/steps.ts';
import { waitForRelease } from './redis/wait.ts';

export type { RedisConnection } from './redis/connection.ts';
export { fromIoredis, type IoredisClient, type IoredisSubscriber } from './redis/ioredis.ts';
export { fromNodeRedis, type NodeRedisClient, type NodeRedisSubscriber } from './redis/node-redis.ts';

/** What {@link redisTokenSource} takes. */
export interface RedisTokenSourceOptions {
  /** `fromIoredis(client)`, `fromNodeRedis(client)`, or two methods of your own. */
  readonly connection: RedisConnection;
  /** Comes before every key; no braces. Default `fence:`. */
  readonly prefix?: string;
}

/** Leases in Redis. */
export interface RedisTokenSource extends TokenSource, CanTakeOver, CanInspect, CanRaise, CanWait {}

const sourceOptions: OptionChecks<RedisTokenSourceOptions> = {
  connection: checkConnection,
  prefix: anything,
};

/**
 * Keeps leases in Redis, two keys per resource in one hash tag: `fence:{account/a1}:token`, the counter, and
 * `fence:{account/a1}:grant`, who has it. Every step is one Lua script, and one request. A grant ends by the clock of the server.
 *
 * The counter must live as long as the items that remember its tokens. Redis is a sound source only with
 * `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`: without them a restart, a failover or an eviction loses
 * increments, and issues tokens twice. Items refuse those (`fenced` where they have seen more, `token-reused` where as
 * much); `acquire(…, { above: lastToken })` goes on from there. See docs/sources.md.
 *
 * @param options `connection` to Redis 5 or later; `prefix` of the keys, default `fence:`.
 * @returns a source for `LeaseManager`. `data` of a lease must be JSON.
 * @throws InvalidInputError where an option cannot work.
 * @example
 * const source = redisTokenSource({ connection: fromIoredis(new Redis()) });
 * const leases = new LeaseManager({ source, ttlMs: 10_000 });
 */
export function redisTokenSource(options: RedisTokenSourceOptions): RedisTokenSource {
  const { connection, prefix } = checkOptions(options, sourceOptions);
  checkConnection(connection, 'connection');
  const redis: Redis = { connection, placesOf: placesBelow(prefix) };
  return {
    acquire: (request, deadline) => acquire(redis, request, deadline),
    renew: (request, deadline) => renew(redis, request, deadline),
    release: (request, deadline) => release(redis, request, deadline),
    takeOver: (request, deadline) => takeOver(redis, request, deadline),
    inspect: (resource, deadline) => inspect(redis, resource, deadline),
    raise: (request, deadline) => raise(redis, request, deadline),
    waitForRelease: (request, signal) => waitForRelease(redis, request, signal),
  };
}

function checkConnection(value: unknown, path: string): void {
  const { run, subscribe } = (value ?? {}) as Partial<RedisConnection>;
  if (typeof run === 'function' && typeof subscribe === 'function') return;
  throw new InvalidInputError(
    path,
    `${describe(value)} is no connection to Redis`,
    'Pass fromIoredis(client) or fromNodeRedis(client).',
  );
}
