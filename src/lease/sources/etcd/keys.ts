import { describe } from '../../../fence/describe.ts';
import { InvalidInputError } from '../../../fence/errors.ts';
import { checkResource } from '../../../fence/fence.ts';

/** Where the lease of a resource is kept. */
export interface Keys {
  /** Who has it. It goes with the etcd lease of its holder. */
  readonly grant: string;
  /** When the grant ends, by the clock of its holder; goes with the grant. */
  readonly until: string;
  /** What the holder stores beside its name; goes with the grant. */
  readonly data: string;
  /** Written with every grant, and never deleted: its revision is that of the last grant. */
  readonly last: string;
  /** What is added to that revision; never deleted. */
  readonly offset: string;
  /** Who waits, one key for each, which goes with the etcd lease of the waiter. */
  readonly queue: Range;
}

/** All keys from `from`, before `end`. */
export interface Range {
  readonly from: string;
  readonly end: string;
}

/** The place of a holder in the queue. */
export function placeOf({ queue }: Keys, holder: string): string {
  return queue.from + holder;
}

/** Where leases are kept, by resource. What is kept comes before the resource, so that no name runs into another. */
export function keysBelow(prefix: unknown = 'fence/'): (resource: string) => Keys {
  if (typeof prefix !== 'string') {
    throw new InvalidInputError(
      'prefix',
      `${describe(prefix)} is no text`,
      'Pass what comes before every key, as fence/.',
    );
  }
  return (resource) => {
    checkResource(resource);
    const key = (kind: string) => `${prefix}${kind}/${resource}`;
    // No name has control characters, so the queue of one resource ends before that of a longer name begins.
    const queue = { from: `${key('queue')}\u0000`, end: `${key('queue')}\u0001` };
    return {
      grant: key('grant'),
      until: key('until'),
      data: key('data'),
      last: key('last'),
      offset: key('offset'),
      queue,
    };
  };
}
