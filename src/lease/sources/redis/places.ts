import { describe } from '../../../fence/describe.ts';
import { InvalidInputError } from '../../../fence/errors.ts';
import { checkResource } from '../../../fence/fence.ts';

/** Where the lease of a resource is kept. */
export interface Places {
  /** The counter: a text of digits, which never expires and is never deleted. */
  readonly token: string;
  /** Who has it: a hash, there from a grant to its release. */
  readonly grant: string;
  /** The channel that tells of releases. */
  readonly released: string;
}

/** Where leases are kept, by resource. All of one resource shares a hash tag, so it is in one slot of a cluster. */
export function placesBelow(prefix: unknown = 'fence:'): (resource: string) => Places {
  if (typeof prefix !== 'string' || /[{}]/.test(prefix)) {
    throw new InvalidInputError(
      'prefix',
      `${describe(prefix)} cannot come before a hash tag`,
      'Pass a text without braces: the resource is the hash tag.',
    );
  }
  return (resource) => {
    // A brace of its own would end the tag early, and what comes after it would be in another slot.
    const tag = checkResource(resource).replace(/[%{}]/g, encodeURIComponent);
    const base = `${prefix}{${tag}}`;
    return { token: `${base}:token`, grant: `${base}:grant`, released: `${base}:released` };
  };
}
