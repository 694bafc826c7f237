/**
 * What the source asks of a Redis client, of any library: {@link fromIoredis} and {@link fromNodeRedis} make it of the usual
 * two, and for another one these two methods are all that there is to write.
 */
export interface RedisConnection {
  /**
   * `EVAL`: runs a Lua script, which nothing can interrupt.
   *
   * @returns its reply: texts, null where it has none, and arrays of them.
   * @throws the error of Redis as it is. An error with the `code` `NOT_SENT`, or one of Node's for a connection that never was, as
   * `ECONNREFUSED`, says that nothing was sent; after any
   * other that is not Redis' own nobody knows.
   */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /**
   * Listens to a channel, on a connection of its own.
   *
   * @param wake called for each message, and once where messages may have been missed because the connection broke. The
   * subscription may be over then.
   * @returns once it listens, with what ends it.
   */
  subscribe(channel: string, wake: () => void): Promise<() => void>;
}
