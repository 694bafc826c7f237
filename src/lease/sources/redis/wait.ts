import { abortable } from '../../../fence/abortable.ts';
import type { WaitRequest } from '../../token-source.ts';
import { run } from './ask.ts';
import { inspectScript } from './scripts.ts';
import type { Redis } from './steps.ts';

/** Waits for the message that a release sends. First come is not first served: every waiter hears it. */
export async function waitForRelease(
  { connection, placesOf }: Redis,
  { resource }: WaitRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const places = placesOf(resource);
  const { woken, wake } = wakeUp();
  const listening = connection.subscribe(places.released, wake);
  try {
    // Also where the connection breaks before anybody listens: then it is time to ask again.
    await abortable(Promise.race([listening, woken]), signal);
    // It may have been released before anybody listened.
    const reply = await run(connection, places, resource, { script: inspectScript, args: [] }, signal);
    if (reply.word === 'held') await abortable(woken, signal);
  } finally {
    listening.then(
      (leave) => leave(),
      () => undefined,
    );
  }
}

function wakeUp(): { readonly woken: Promise<void>; readonly wake: () => void } {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  return { woken, wake };
}
