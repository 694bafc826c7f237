import { describe } from '../../../fence/describe.ts';
import { InvalidInputError } from '../../../fence/errors.ts';
import { checkResource } from '../../../fence/fence.ts';

/** Where the lease of a resource is kept. */
export interface Paths {
  /** The folder of all of them. */
  readonly root: string;
  /** Written to learn what time it is there. */
  readonly clock: string;
  /** The counter and the grant; below it one node for each holder and waiter. */
  readonly lease: string;
}

/** The node of a holder, before ZooKeeper puts its sequence behind it. The nonce in it is how a holder finds a node whose creation nobody has confirmed. */
export function nodePrefix(holder: string): string {
  // The hyphen before a sequence below 0 must be told from one of the name.
  return `n-${encodeURIComponent(holder).replace(/-$/, '%2D')}-`;
}

/** A sequence is an integer of 32 bits in ten characters or more; after the largest one comes the least, with its sign. */
const node = /^(n-.*[^-]-)(\d{10}|-\d{9,10})$/;

export function isNodeOf(holder: string, name: string): boolean {
  return node.exec(name)?.[1] === nodePrefix(holder);
}

/** @returns undefined for the node of somebody else. */
export function holderOf(name: string): string | undefined {
  try {
    const prefix = node.exec(name)?.[1];
    return prefix && decodeURIComponent(prefix.slice('n-'.length, -1));
  } catch {
    return undefined;
  }
}

/** What of it is ours, by the sequence, which says who came first: by its distance from another one, which no queue makes long. */
export function inOrder(names: readonly string[]): readonly string[] {
  const sequence = (name: string) => Number(node.exec(name)?.[2]);
  const ours = names.filter((name) => holderOf(name) !== undefined);
  return ours.sort((a, b) => (sequence(a) - sequence(b)) | 0 || (a < b ? -1 : 1));
}

const absolute = /^(\/[\w.%-]+)+$/;

/** Where leases are kept, by resource. */
export function pathsBelow(root: unknown = '/fence'): (resource: string) => Paths {
  if (typeof root !== 'string' || !absolute.test(root) || /\/\.{1,2}(\/|$)/.test(root)) {
    throw new InvalidInputError(
      'root',
      `${describe(root)} is no path`,
      'Pass an absolute path of letters, digits and . _ -, as /fence.',
    );
  }
  return (resource) => ({
    root,
    clock: `${root}/clock`,
    // A name may hold slashes and dots, which are none of a path.
    lease: `${root}/r-${encodeURIComponent(checkResource(resource))}`,
  });
}
