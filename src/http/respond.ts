import { anything, checkOptions, type OptionChecks } from '../fence/options.ts';
import { formatETag } from './etag.ts';
import { type AnyRefusal, refusalResponse } from './refusal.ts';

type Success<R> = Extract<R, { readonly ok: true }>;

/** How a success is answered. */
export interface RespondOptions<S> {
  /** Default 200; 201 for what was created. Without a body it is 204. */
  readonly status?: 200 | 201 | 202;
  /** What is sent, as JSON. Default the `item`, or the `value` of `using`; nothing where there is neither. */
  readonly body?: (success: S) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const respondOptions: OptionChecks<RespondOptions<never>> = {
  status: anything,
  body: anything,
  headers: anything,
};

/**
 * Makes a response of a result.
 *
 * | result | status |
 * |---|---|
 * | ok | 200, or as `status` says; the `version` as `ETag` |
 * | `fenced`, `token-reused`, `superseded`, `lost`, `version` | 412 |
 * | `condition`, `exists` | 409 |
 * | `not-found` | 404 |
 * | `held` | 423 with `Retry-After` |
 * | `contention` | 503 with `Retry-After` |
 *
 * The body of a refusal is a problem document (RFC 9457) with `reason`, `resource`, the `presented` and the `current` token, `applied`,
 * the current `etag` and `retryAfterMs`, as far as the result has them.
 *
 * @param result of any verb, of a lease, or of a transaction.
 * @param options `status`, `body`, `headers`, for a success.
 * @returns the response. Costs no request.
 * @throws InvalidInputError for an option that nobody reads.
 * @example
 * return respond(await accounts.update(fence, { id }, { note }, precondition.options));
 */
export function respond<R extends { readonly ok: boolean }>(
  result: R,
  options?: RespondOptions<Success<R>>,
): Response {
  const checked = checkOptions(options, respondOptions);
  if (!result.ok) return refusalResponse(result as unknown as AnyRefusal);
  const { item, value, version } = result as { item?: unknown; value?: unknown; version?: unknown };
  const body = checked.body === undefined ? (item ?? value) : checked.body(result as Success<R>);
  const headers = new Headers(checked.headers);
  if (typeof version === 'string' && !headers.has('ETag')) headers.set('ETag', formatETag(version));
  if (body === undefined) return new Response(null, { status: 204, headers });
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(body), { status: checked.status ?? 200, headers });
}
