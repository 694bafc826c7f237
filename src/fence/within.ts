import type { CallOptions } from './call-options.ts';
import type { Clock } from './clock.ts';
import { Deadline } from './deadline.ts';

/** Does some work within the bounds of one call, and frees their timer whatever comes of it. */
export async function within<T>(
  clock: Clock,
  options: CallOptions | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(clock, options);
  try {
    return await work(deadline);
  } finally {
    deadline[Symbol.dispose]();
  }
}
