import { CorruptFenceError } from '../../../fence/errors.ts';
import type { FencingToken } from '../../../fence/token.ts';
import { storedToken } from '../stored-token.ts';
import type { Exchange } from './exchange.ts';
import { inOrder, isNodeOf, type Paths } from './paths.ts';

/** What the node of a lease holds. */
export interface Record {
  /** The last token that was issued, in digits; undefined where there was none. */
  readonly token?: string;
  /** Who was granted it, and the node that shows that the grant stands. */
  readonly holder?: string;
  readonly node?: string;
  /** When the grant ends, by the clock of the ensemble, in ms since the epoch. */
  readonly until?: number;
  readonly data?: string;
}

/** What is kept of a resource. */
export interface Standing {
  readonly version: number;
  readonly last: FencingToken | undefined;
  /** The grant that stands; also one whose time is over, while nobody has taken it. */
  readonly grant: Grant | undefined;
  /** The nodes of those who wait, first come first. */
  readonly queue: readonly string[];
}

export interface Grant {
  readonly holder: string;
  readonly node: string;
  readonly until: number;
  readonly data: string | undefined;
}

/** Reads what is kept: the record first, so that a node that it names is not looked for before it was made. */
export async function look(
  exchange: Exchange,
  paths: Paths,
  resource: string,
): Promise<Standing | undefined> {
  const [record, children] = await Promise.all([exchange.read(paths.lease), exchange.children(paths.lease)]);
  if (record === undefined || children === undefined) return undefined;
  const { token, holder, node, until, data } = parse(record.text, paths);
  const stands = node !== undefined && children.includes(node);
  return {
    version: versionOf(record.version, paths),
    last:
      token === undefined ? undefined : storedToken(token, resource, `The token of ${resource} in ZooKeeper`),
    grant: stands && holder !== undefined && until !== undefined ? { holder, node, until, data } : undefined,
    queue: inOrder(children.filter((child) => child !== node)),
  };
}

/**
 * Makes the node of a lease, unless it is there. It has been written once when others first see it: the client takes a
 * condition on version 0 for none.
 */
export async function makeLease(exchange: Exchange, { lease }: Paths): Promise<void> {
  const empty = asBytes({});
  await exchange.commit((changes) => changes.create(lease, empty).setData(lease, empty));
}

export function asBytes(record: Record): Buffer {
  return Buffer.from(JSON.stringify(record));
}

/** The node of a holder among those who wait. */
export function placeOf({ queue }: Standing, holder: string): string | undefined {
  return queue.find((node) => isNodeOf(holder, node));
}

function versionOf(version: number, { lease }: Paths): number {
  if (version !== 0) return version;
  throw new CorruptFenceError(`The node ${lease} in ZooKeeper was not made by this library.`);
}

function parse(text: string, { lease }: Paths): Record {
  const record = asRecord(text);
  if (record !== undefined) return record;
  throw new CorruptFenceError(`The node ${lease} in ZooKeeper holds ${JSON.stringify(text.slice(0, 80))}.`);
}

function asRecord(text: string): Record | undefined {
  try {
    const record = JSON.parse(text) as Record;
    const { token, holder, node, until, data } = record;
    const texts = [token, holder, node, data].every((it) => it === undefined || typeof it === 'string');
    return texts && (until === undefined || Number.isSafeInteger(until)) ? record : undefined;
  } catch {
    return undefined;
  }
}
