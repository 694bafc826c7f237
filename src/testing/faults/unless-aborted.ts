import type { Answer } from './fault.ts';
import { readAnswer } from './json-answer.ts';
import { requestAborted } from './wire-errors.ts';

/** The answer, or, as soon as the caller's signal aborts, the error that the SDK's own handlers give then. */
export function unlessAborted(answer: Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(requestAborted(signal));
      // It still comes, and nobody else reads it.
      answer.then(readAnswer).catch(() => undefined);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
