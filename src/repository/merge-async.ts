type Advance<T> =
  | { readonly stream: AsyncGenerator<T>; readonly result: IteratorResult<T> }
  | { readonly stream: AsyncGenerator<T>; readonly error: unknown };

/**
 * Yields what several streams yield, each as soon as it comes. Each runs ahead of its consumer by one. Ends them all
 * when the consumer stops, or one of them fails.
 *
 * @param atOnce how many of them are read at a time; the others begin when one of those has ended.
 */
export async function* merge<T>(streams: readonly AsyncGenerator<T>[], atOnce: number): AsyncGenerator<T> {
  const arrived: Advance<T>[] = [];
  const begun = new Set<AsyncGenerator<T>>();
  let wake = () => {};
  const advance = (stream: AsyncGenerator<T>) => {
    begun.add(stream);
    // Heard at once, whatever the consumer does meanwhile: Node ends a process over a rejection that nobody hears.
    stream
      .next()
      .then(
        (result) => arrived.push({ stream, result }),
        (error: unknown) => arrived.push({ stream, error }),
      )
      .then(() => wake());
  };
  const waiting = streams.values();
  const begin = () => {
    const { value } = waiting.next();
    if (value !== undefined) advance(value);
  };
  try {
    for (let place = 0; place < atOnce; place++) begin();
    while (begun.size > 0) {
      const next = arrived.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ('error' in next) {
        throw next.error;
      } else if (next.result.done === true) {
        begun.delete(next.stream);
        begin();
      } else {
        advance(next.stream);
        yield next.result.value;
      }
    }
  } finally {
    await Promise.allSettled([...begun].map((stream) => stream.return(undefined)));
  }
}
