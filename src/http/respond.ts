import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { callable, checkOptions, type OptionChecks } from '../fence/options.ts';
import { formatETag } from './etag.ts';
import { checkHeaders } from './headers.ts';
import { toJson } from './json.ts';
import { type AnyRefusal, refusalResponse } from './refusal.ts';

type Success<R> = Extract<R, { readonly ok: true }>;

/** How a success is answered. */
export interface RespondOptions<S> {
  /** Default 200; 201 for what was created. Without a body it is 204. */
  readonly status?: 200 | 201 | 202;
  /**
   * What is sent, as JSON. Default the `item`, or the `value` of `using`; nothing where there is neither. Sets become lists,
   * binary becomes base64, and a bigint text.
   */
  readonly body?: (success: S) => unknown;
  /** Headers of your own. An `ETag` among them goes before that of the version. */
  readonly headers?: Readonly<Record<string, string>>;
}

const respondOptions: OptionChecks<RespondOptions<never>> = {
  status: checkStatus,
  body: callable,
  headers: checkHeaders,
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
 * @param result of any verb, of a lease, or of a transaction. Where the work of `using` answers a result, that one counts.
 * @param options `status`, `body`, `headers`, for a success.
 * @returns the response. Costs no request.
 * @throws InvalidInputError for an option that cannot work, and for a refusal of somebody else, whose status nobody here knows.
 * @example
 * return respond(await accounts.update(fence, { id }, { note }, precondition.options));
 */
export function respond<R extends { readonly ok: true } | AnyRefusal>(
  result: R,
  options?: RespondOptions<Success<R>>,
): Response {
  const checked = checkOptions(options, respondOptions);
  if (!result.ok) return refusalResponse(result);
  const inner = (result as { value?: unknown }).value;
  // What `using` has done is what its work has done.
  if (isResult(inner) && !inner.ok) return refusalResponse(inner);
  const { item, value, version } = (isResult(inner) ? inner : result) as {
    readonly [Name in 'item' | 'value' | 'version']?: unknown;
  };
  const body = checked.body === undefined ? (item ?? value) : checked.body(result as Success<R>);
  const headers = new Headers(checked.headers);
  if (typeof version === 'string' && !headers.has('ETag')) headers.set('ETag', formatETag(version));
  if (body === undefined) return new Response(null, { status: 204, headers });
  headers.set('Content-Type', 'application/json');
  return new Response(toJson(body), { status: checked.status ?? 200, headers });
}

function isResult(value: unknown): value is { readonly ok: true } | AnyRefusal {
  return typeof (value as { ok?: unknown } | null | undefined)?.ok === 'boolean';
}

function checkStatus(status: unknown, path: string): void {
  if (status === 200 || status === 201 || status === 202) return;
  throw new InvalidInputError(
    path,
    `${describe(status)} is none that a success has here`,
    'Pass 200, 201 or 202.',
  );
}
