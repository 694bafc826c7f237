import { problem, respond } from 'dynamodb-fenced/http';
import type { Refused } from '../booking.ts';

/** How long a client waits before it asks a server again that was too slow, in ms. */
const RETRY_MS = 1_000;

/**
 * What a refusal is answered.
 *
 * @param presented the token of the client, if it showed one. Others are of leases that the server takes for each call: then the
 * server was slow, and not the client.
 */
export function refuse(refused: Refused, presented?: number): Response {
  switch (refused.reason) {
    case 'exists':
      return problem({
        ...{ status: 409, reason: 'busy', title: 'The customer has something else then' },
        detail: 'Cancel that, or choose another slot.',
      });
    case 'fenced':
    case 'lost':
      if (refused.token !== presented) {
        return respond({ ok: false, reason: 'contention', retryAfterMs: RETRY_MS });
      }
      return respond(refused);
    default:
      return respond(refused);
  }
}
