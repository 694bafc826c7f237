import { CorruptFenceError } from '../../../fence/errors.ts';
import { type FencingToken, MAX_FENCING_TOKEN } from '../../../fence/token.ts';
import { storedToken } from '../stored-token.ts';
import { bytesIn, int64In } from './answers.ts';
import { keysIn, type TxnAnswer } from './exchange.ts';
import type { JsonObject } from './json-object.ts';
import type { Keys } from './keys.ts';
import { holds, isAbsent, read, readFirst } from './txn.ts';

/** What is kept of a resource, all of it read at one revision. */
export interface Standing {
  /** Of the cluster when it was read. */
  readonly revision: bigint;
  /** Who has it. */
  readonly holder: string | undefined;
  readonly expiresAtMs: number;
  readonly data: string | undefined;
  /** The revision of the last grant; undefined where there was none. */
  readonly last: bigint | undefined;
  readonly offset: bigint;
  /** Who is the first to wait, and since which revision. */
  readonly first: { readonly holder: string; readonly since: bigint } | undefined;
}

/** What has to be read for a {@link Standing}. */
export function readStanding({ grant, until, data, last, offset, queue }: Keys): readonly JsonObject[] {
  return [...[grant, until, data, last, offset].map(read), readFirst(queue)];
}

/** @throws CorruptFenceError where somebody else has written there. */
export function standingOf({ responses, revision }: TxnAnswer, keys: Keys): Standing {
  const [grant, until, data, last, offset, first] = responses.map((response) => keysIn(response)[0]);
  return {
    revision,
    holder: grant && bytesIn(grant, 'value'),
    expiresAtMs: grant === undefined ? 0 : endOf(until, keys),
    data: data && bytesIn(data, 'value'),
    last: last && int64In(last, 'mod_revision'),
    offset: offsetIn(offset, keys),
    first: first && {
      holder: bytesIn(first, 'key').slice(keys.queue.from.length),
      since: int64In(first, 'create_revision'),
    },
  };
}

/** What a read of the offset has found. */
export function offsetIn(found: JsonObject | undefined, { offset }: Keys): bigint {
  if (found === undefined) return 0n;
  const text = bytesIn(found, 'value');
  if (/^[0-9]{1,19}$/.test(text)) return BigInt(text);
  throw new CorruptFenceError(`The key ${offset} in etcd holds ${JSON.stringify(text)}, which is no number.`);
}

function endOf(found: JsonObject | undefined, { until }: Keys): number {
  const text = found === undefined ? '' : bytesIn(found, 'value');
  if (/^[0-9]{16}$/.test(text)) return Number(text);
  throw new CorruptFenceError(`The key ${until} in etcd holds ${JSON.stringify(text)}, which is no time.`);
}

/** The end of a grant as text, of one length so that it can be compared by its bytes. */
export function endAsText(expiresAtMs: number): string {
  return String(Math.max(0, expiresAtMs)).padStart(16, '0');
}

/** The number of a grant: the revision at which it was made, and what has been added for this resource. */
export function numberOf({ last = 0n, offset }: Pick<Standing, 'last' | 'offset'>): bigint {
  return last + offset;
}

/** @throws TokenExhaustedError beyond 2^53 − 1. */
export function tokenOf(standing: Pick<Standing, 'last' | 'offset'>, resource: string): FencingToken {
  return storedToken(numberOf(standing), resource, `The token of ${resource} in etcd`);
}

export function isTooLarge(number: bigint): boolean {
  return number > BigInt(MAX_FENCING_TOKEN);
}

/** The condition that nothing else is added for this resource. */
export function offsetIs({ offset }: Keys, expected: bigint): JsonObject {
  return expected === 0n ? isAbsent(offset) : holds(offset, String(expected));
}
