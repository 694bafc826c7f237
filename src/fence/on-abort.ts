// Weak, so that a signal that is forgotten takes its callbacks with it.
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once a signal aborts; not if it has aborted already. All callbacks of a signal share one listener: a
 * caller may pass the same signal to a hundred calls at once, and Node takes eleven listeners for a leak.
 *
 * @param callback must not throw.
 * @returns what stops listening; may be called again.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) return () => {};
  const waiting = callbacks.get(signal) ?? new Set();
  callbacks.set(signal, waiting);
  // One of its own for each call, as the same function may be given twice.
  const entry = () => callback();
  const leave = () => {
    if (waiting.delete(entry) && waiting.size === 0) signal.removeEventListener('abort', callAll);
  };
  if (waiting.size === 0) signal.addEventListener('abort', callAll);
  waiting.add(entry);
  return leave;
}

function callAll(this: AbortSignal): void {
  const waiting = callbacks.get(this) ?? new Set();
  this.removeEventListener('abort', callAll);
  for (const entry of waiting) {
    // Whoever is called may let others leave.
    if (waiting.delete(entry)) entry();
  }
}
