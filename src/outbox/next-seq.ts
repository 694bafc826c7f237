import { InvalidInputError } from '../fence/errors.ts';
import type { Fence } from '../fence/fence.ts';
import { sessionOf } from '../fence/fence.ts';
import type { Session } from '../fence/session.ts';

const lastSeq = new WeakMap<Session, number>();

/**
 * Numbers the messages of a lease, from 1. Of a lease alone: a bare fence shares its token with others, who would
 * count from 1 as well.
 *
 * @throws InvalidInputError for a bare fence, or one that its caller numbers; LeaseReleasedError after release.
 */
export function nextSeq(lease: Fence): number {
  const session = sessionOf(lease);
  if (session.kind !== 'lease') {
    throw new InvalidInputError(
      'lease',
      'the key of a message needs a token that nobody else has, and this is no lease',
      'Pass the lease itself.',
    );
  }
  session.assertUsable();
  const seq = (lastSeq.get(session) ?? 0) + 1;
  lastSeq.set(session, seq);
  return seq;
}
