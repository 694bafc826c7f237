import type { RefusalReason } from '../fence/result.ts';
import { formatETag } from './etag.ts';
import { problem, retryAfter } from './problem.ts';
import { kindOf } from './status.ts';

/** Any refusal: of a verb, a lease or a transaction. */
export interface AnyRefusal {
  readonly ok: false;
  readonly reason: RefusalReason;
  readonly resource?: string;
  readonly token?: number;
  readonly lastToken?: number | undefined;
  readonly applied?: string;
  readonly version?: string;
  readonly retryAfterMs?: number;
}

const advice: { readonly [Reason in RefusalReason]: string } = {
  fenced: 'Drop what rests on the older token. Get the lease again, look again, and start over.',
  'token-reused': 'Whoever issues the tokens is broken. Do not try again.',
  superseded: 'Look at what there is now. Do not send this request again.',
  lost: 'Get the lease again, look again, and start over.',
  version: 'Look at what there is now, and decide again.',
  condition: 'Look at what there is now, and decide again.',
  exists: 'Look at what there is.',
  'not-found': 'Nothing was changed.',
  held: 'Come back when the time in Retry-After has passed.',
  contention: 'Nothing was changed. Send the same request again when the time in Retry-After has passed.',
};

/**
 * The response of a refusal. It names resources, tokens and versions, and nothing else: not who holds them, and nothing of an
 * item, which a client may not be meant to see.
 */
export function refusalResponse(refusal: AnyRefusal): Response {
  const { reason, resource, applied, version, retryAfterMs } = refusal;
  const { status, title } = kindOf(reason);
  const isHeld = reason === 'held';
  return problem({
    ...{ status, reason, title, detail: advice[reason] },
    members: {
      resource,
      // The token of a lease that is held is its holder's; nothing was presented.
      presented: isHeld ? undefined : refusal.token,
      current: isHeld ? refusal.token : refusal.lastToken,
      applied,
      etag: version === undefined ? undefined : formatETag(version),
      retryAfterMs,
    },
    headers: retryAfterMs === undefined ? {} : retryAfter(retryAfterMs),
  });
}
