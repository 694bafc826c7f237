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

const SEQUENCE_DIGITS = 10;

/** The node of a holder, before ZooKeeper puts its sequence behind it. The nonce in it is how a holder finds a node whose creation nobody has confirmed. */
export function nodePrefix(holder: string): string {
  return `n-${encodeURIComponent(holder)}-`;
}

export function isNodeOf(holder: string, node: string): boolean {
  return node.slice(0, -SEQUENCE_DIGITS) === nodePrefix(holder);
}

export function holderOf(node: string): string {
  return decodeURIComponent(node.slice('n-'.length, -SEQUENCE_DIGITS - 1));
}

/** By the sequence, which says who came first. */
export function inOrder(nodes: readonly string[]): readonly string[] {
  return [...nodes].sort((a, b) => (a.slice(-SEQUENCE_DIGITS) < b.slice(-SEQUENCE_DIGITS) ? -1 : 1));
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
