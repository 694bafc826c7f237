import type { RejectedReason } from '../sequencer/index.ts';
import { problem } from './problem.ts';

/** A request that nothing can be done for. Nothing was sent to the storage. */
export interface RefusedRequest {
  readonly ok: false;
  readonly reason: 'missing' | RejectedReason;
  /** What to answer. */
  readonly response: Response;
}

const kinds = {
  missing: {
    status: 428,
    title: 'A fencing token is required',
    detail: 'Send the header Fencing-Token with what you were given together with the lease.',
  },
  malformed: {
    status: 401,
    title: 'This is no fencing token of ours',
    detail: 'Send in Fencing-Token what you were given together with the lease, unchanged and once.',
  },
  tampered: {
    status: 401,
    title: 'This fencing token was not sealed here',
    detail: 'Send in Fencing-Token what you were given together with the lease, unchanged and once.',
  },
  expired: {
    status: 401,
    title: 'The fencing token has expired',
    detail: 'Get the lease again, look again, and start over.',
  },
  foreign: {
    status: 403,
    title: 'The fencing token is for another resource',
    detail: 'Get the lease of the resource that you want to change.',
  },
} as const;

/**
 * The answer to a request whose fence is not accepted.
 *
 * @param reason why.
 * @param form whether it had to be sealed: only then is there something to prove, and a 401.
 */
export function refusedRequest(
  reason: RefusedRequest['reason'],
  form: 'plain' | 'sealed' = 'plain',
): RefusedRequest {
  const { status: sealed, title, detail } = kinds[reason];
  const status = form === 'plain' && sealed === 401 ? 400 : sealed;
  // A 401 has to say how to do better (RFC 9110 §15.5.2).
  const headers: Record<string, string> =
    status === 401 ? { 'WWW-Authenticate': `Fencing-Token error="${reason}"` } : {};
  return { ok: false, reason, response: problem({ status, reason, title, detail, headers }) };
}
