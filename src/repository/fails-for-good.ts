/**
 * A stream whose failure stays. A generator that has failed says to the next one who asks that it is done, so that half of the
 * items would pass for all of them.
 */
export function failsForGood<T>(stream: AsyncGenerator<T>): AsyncIterableIterator<T> {
  let failure: Promise<never> | undefined;
  return {
    next: () => {
      if (failure !== undefined) return failure;
      return stream.next().catch((error: unknown) => {
        failure = Promise.reject(error);
        return failure;
      });
    },
    return: () => stream.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
