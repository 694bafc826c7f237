import { fencedIn, isFencingError, type RefusedError } from '../fence/errors.ts';
import { callable } from '../fence/options.ts';
import { problem, retryAfter } from './problem.ts';
import { type AnyRefusal, refusalResponse } from './refusal.ts';
import { statuses } from './status.ts';

// Nobody knows how long an outage takes.
const OUTAGE_MS = 1_000;

/**
 * Makes a response of an error, where a client can do something about it: a refusal that `unwrap` has thrown is answered like the
 * refusal; `unavailable` and `lease-expired` are 503, as the call that threw applied nothing; `outcome-unknown` is 504. They
 * tell of that call alone: where a request makes several writes, the ones before it stand.
 *
 * @param error anything that was thrown.
 * @returns undefined for everything else: rethrow it, so that it is logged and counted where errors are.
 * @example
 * const response = respondToError(error);
 * if (response === undefined) throw error;
 */
export function respondToError(error: unknown): Response | undefined {
  const fenced = fencedIn(error);
  if (fenced !== undefined) return refusalResponse(fenced.result);
  if (!isFencingError(error)) return undefined;
  const { code } = error;
  if (Object.hasOwn(statuses, code)) return refusalResponse((error as RefusedError).result as AnyRefusal);
  if (code === 'outcome-unknown') return unknownOutcome();
  if (code !== 'unavailable' && code !== 'lease-expired') return undefined;
  return problem({
    ...{ status: 503, reason: code, title: 'Not possible right now' },
    detail: 'The step that failed was not done. Ask again when the time in Retry-After has passed.',
    members: { applied: 'no', retryAfterMs: OUTAGE_MS },
    headers: retryAfter(OUTAGE_MS),
  });
}

// Not 503: its Retry-After would invite to do again what may have been done.
function unknownOutcome(): Response {
  return problem({
    ...{ status: 504, reason: 'outcome-unknown', title: 'Nobody knows whether it was done' },
    detail: 'It may have been done once. Look before you ask again, or ask with the same idempotency key.',
    members: { applied: 'unknown' },
  });
}

/**
 * Wraps a handler so that what it throws is answered by {@link respondToError}, and everything else is thrown on.
 *
 * @param handler answers a request; further arguments are passed on.
 * @returns the same, wrapped.
 * @throws InvalidInputError where the handler is no function.
 * @example
 * export const fetch = answering(async (request: Request) => respond(await write(request)));
 */
export function answering<Rest extends readonly unknown[]>(
  handler: (request: Request, ...rest: Rest) => Promise<Response> | Response,
): (request: Request, ...rest: Rest) => Promise<Response> {
  callable(handler, 'handler');
  return async (request, ...rest) => {
    try {
      return await handler(request, ...rest);
    } catch (error) {
      const response = respondToError(error);
      if (response === undefined) throw error;
      return response;
    }
  };
}
