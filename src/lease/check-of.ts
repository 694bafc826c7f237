import { isDeepStrictEqual } from 'node:util';
import type { LeaseCheck } from '../dynamo/lease-check.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { sessionOf } from '../fence/fence.ts';
import type { Lease } from './lease.ts';
import type { CanCheck } from './token-source.ts';

/**
 * The check of a lease, by the source that granted it or one that would check the very same row. Any other would look
 * for the lease where it is not, and say that it is lost.
 *
 * @throws InvalidInputError for a lease that is kept elsewhere, and for a bare fence; LeaseReleasedError.
 */
export function checkOf(source: CanCheck, lease: Lease): LeaseCheck {
  const session = sessionOf(lease);
  if (session.kind !== 'lease') {
    throw new InvalidInputError('lease', 'this is a bare fence', 'Pass the lease itself.');
  }
  session.assertUsable();
  const check = source.check(lease);
  const { issuer } = session;
  if (issuer === source || (canCheck(issuer) && isSame(issuer.check(lease), check))) return check;
  throw new InvalidInputError(
    'lease',
    `${lease.resource} was granted by another source, which does not keep it in ${check.conditionCheck.TableName} or keeps it otherwise`,
    'Check it with the manager that granted it, or one for the same table, by the same name, names and key.',
  );
}

function canCheck(issuer: object | undefined): issuer is CanCheck {
  return typeof (issuer as Partial<CanCheck> | undefined)?.check === 'function';
}

function isSame(theirs: LeaseCheck, ours: LeaseCheck): boolean {
  return isDeepStrictEqual(theirs.conditionCheck, ours.conditionCheck);
}
