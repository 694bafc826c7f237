import type { Fence } from 'dynamodb-fenced';
import { problem, respond } from 'dynamodb-fenced/http';
import type { TransferResult } from '../transfer-result.ts';

const refusals = {
  'key-reused': { status: 422, title: 'This key stands for another transfer', detail: 'Choose a new key.' },
  'no-account': { status: 409, title: 'There is no such receiver', detail: 'Nothing was moved.' },
  currency: { status: 409, title: 'The accounts have different currencies', detail: 'Nothing was moved.' },
  overflow: { status: 409, title: 'The receiver has too much already', detail: 'Nothing was moved.' },
} as const;

/** How long a client waits before it asks a server again that was too slow, in ms. */
const RETRY_MS = 1_000;

/** What a transfer is answered. Whatever was refused has moved nothing, and left the client its fence. */
export function respondToTransfer(result: TransferResult, fence: Fence): Response {
  if (result.ok) {
    const { entry, replayed } = result;
    return respond(result, { status: replayed ? 200 : 201, body: () => entry });
  }
  switch (result.reason) {
    case 'key-reused':
    case 'no-account':
    case 'currency':
    case 'overflow':
      return problem({ reason: result.reason, ...refusals[result.reason] });
    case 'insufficient': {
      const { reason, balance, limit } = result;
      const members = { balance, limit };
      const detail = 'Send less, with the same fence, or nothing.';
      return problem({ status: 409, reason, title: 'There is not enough money', detail, members });
    }
    case 'fenced':
    case 'lost':
      // The lease of the receiver is the server's own: it was slow, and not the client.
      if (result.resource !== fence.resource) {
        return respond({ ok: false, reason: 'contention', retryAfterMs: RETRY_MS });
      }
      return respond(result);
    default:
      return respond(result);
  }
}
