import { onAbort } from '../fence/on-abort.ts';

/** A signal that aborts with the first of several, until it is disposed. `AbortSignal.any` came with Node 20.3. */
export function linkedSignal(
  sources: readonly (AbortSignal | undefined)[],
): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const links = sources
    .filter((source) => source !== undefined)
    .map((source) => {
      const abort = () => controller.abort(source.reason);
      if (source.aborted) abort();
      return onAbort(source, abort);
    });
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const unlink of links) unlink();
    },
  };
}
