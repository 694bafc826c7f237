/// <reference lib="esnext.disposable" preserve="true" />
import * as diagnostics from 'node:diagnostics_channel';
import { channelName } from '../fence/channel.ts';
import type { FencingEvent } from '../fence/events.ts';
import { callable } from '../fence/options.ts';

/** What listens to events, until it is stopped. */
export interface Subscription extends Disposable {
  /** Ends it. From then on its listener is told nothing. */
  stop(): void;
}

/**
 * Listens to the events of this library, of all copies of it in this process. The listener is called at once, where it
 * happens, and in the async context of the call: what it does takes the call's time, so it should only note and go on.
 *
 * What it throws, or what the promise that it returns is rejected with, breaks nothing: the first one becomes a warning of the
 * process (`DYNAMODB_FENCED_SUBSCRIBER`), later ones are dropped. A function that is handed to `node:diagnostics_channel` itself has
 * no such net: Node makes what it throws an uncaught exception of the next tick, which ends the process.
 *
 * @param listener is told of every event.
 * @returns what stops it, also by leaving a `using` scope. Costs no request.
 * @throws InvalidInputError where it is no function.
 * @example
 * const subscription = subscribe((event) => {
 *   if (event.event === 'refusal' && event.reason === 'fenced') alarm(event.resource, event.lastHolder);
 * });
 */
export function subscribe(listener: (event: FencingEvent) => unknown): Subscription {
  callable(listener, 'listener');
  let warned = false;
  const warn = (error: unknown) => {
    if (warned) return;
    warned = true;
    process.emitWarning(
      `a subscriber of dynamodb-fenced has failed: ${shown(error)}. Later failures of it are not told.`,
      {
        code: 'DYNAMODB_FENCED_SUBSCRIBER',
      },
    );
  };
  let stopped = false;
  const onMessage = (event: unknown) => {
    // Node goes on with those who listened when it began to tell, also where one of them stops another.
    if (stopped) return;
    try {
      const done = listener(event as FencingEvent);
      if (isThenable(done)) Promise.resolve(done).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
  const stop = () => {
    stopped = true;
    diagnostics.unsubscribe(channelName, onMessage);
  };
  diagnostics.subscribe(channelName, onMessage);
  return { stop, [Symbol.dispose]: stop };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';
}

/** Anything can be thrown, also what cannot be shown. */
function shown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'with something that cannot be shown';
  }
}
