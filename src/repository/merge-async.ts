/** Yields what several streams yield, each as soon as it comes. Ends them all when the consumer stops. */
export async function* merge<T>(streams: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const advance = async (stream: AsyncGenerator<T>) => ({ stream, result: await stream.next() });
  const pending = new Map(streams.map((stream) => [stream, advance(stream)]));
  try {
    while (pending.size > 0) {
      const { stream, result } = await Promise.race(pending.values());
      if (result.done === true) {
        pending.delete(stream);
      } else {
        pending.set(stream, advance(stream));
        yield result.value;
      }
    }
  } finally {
    for (const unheard of pending.values()) unheard.catch(() => undefined);
    await Promise.allSettled([...pending.keys()].map((stream) => stream.return(undefined)));
  }
}
