import type { LambdaContext } from '../../src/lambda/index.ts';
import type { ManualClock } from '../../src/testing/index.ts';

/** What Lambda says of an invocation that began now and may take so long. */
export function invocation(
  clock: ManualClock,
  timeoutMs = 10_000,
  awsRequestId = 'r1',
): Required<LambdaContext> {
  const endsAtMs = clock.elapsed() + timeoutMs;
  return { awsRequestId, getRemainingTimeInMillis: () => endsAtMs - clock.elapsed() };
}

/** A promise that a test lets go on when it wants. */
export function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
