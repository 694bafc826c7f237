import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { RefusalReason } from '../fence/result.ts';

/** What each refusal is over HTTP, and what its kind is called. */
export const statuses: {
  readonly [Reason in RefusalReason]: { readonly status: number; readonly title: string };
} = {
  // 412: the state of the resource is not the one that the request rests on (RFC 9110 §15.5.13).
  fenced: { status: 412, title: 'A newer fencing token was seen' },
  'token-reused': { status: 412, title: 'Somebody else has the same fencing token' },
  superseded: { status: 412, title: 'A later request was there before' },
  lost: { status: 412, title: 'The lease is over' },
  version: { status: 412, title: 'Changed since it was read' },
  // 409: the request contradicts the current state, and another one may not (§15.5.10).
  condition: { status: 409, title: 'Not possible as things are' },
  exists: { status: 409, title: 'There is one already' },
  'not-found': { status: 404, title: 'There is none' },
  // 423 comes from WebDAV (RFC 4918 §11.3), and means what it says everywhere.
  held: { status: 423, title: 'Somebody else has the lease' },
  contention: { status: 503, title: 'Others were faster' },
};

/** The status and the title of a refusal. @throws InvalidInputError for a reason that is not of this library. */
export function kindOf(reason: RefusalReason): { readonly status: number; readonly title: string } {
  if (Object.hasOwn(statuses, reason)) return statuses[reason];
  throw new InvalidInputError(
    'reason',
    `${describe(reason)} is no refusal of this library`,
    'Answer refusals of your own yourself, before what is left comes here.',
  );
}

/** The status that fits a refusal. @throws InvalidInputError for a reason that is not of this library. */
export function statusOf(reason: RefusalReason): number {
  return kindOf(reason).status;
}
