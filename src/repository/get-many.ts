import type { Item } from '../dynamo/attributes.ts';
import { keyText } from '../dynamo/plan.ts';
import { read } from '../dynamo/read.ts';
import type { Request } from '../dynamo/send.ts';
import { waitEnded } from '../dynamo/unavailable.ts';
import { type Backoff, fullJitter } from '../fence/backoff.ts';
import type { CallOptions } from '../fence/call-options.ts';
import { sleep } from '../fence/clock.ts';
import type { Deadline } from '../fence/deadline.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { within } from '../fence/within.ts';
import type { Table, Versioned } from './table.ts';

/** BatchGetItem takes no more, and no key twice. */
const BATCH = 100;

const unprocessed: Backoff = { baseMs: 50, capMs: 2_000 };

/** Reads many items, consistently, and gives them in the order in which they were asked for. */
export async function getMany<T extends object, K extends keyof T>(
  table: Table<T, K>,
  identities: readonly Pick<T, K>[],
  options?: CallOptions,
): Promise<(Versioned<T> | undefined)[]> {
  const wanted = listed(identities).map((identity) => {
    const key = table.keyOf(identity);
    return { key, text: keyText(key) };
  });
  const keys = [...new Map(wanted.map(({ key, text }) => [text, key])).values()];
  const found = new Map<string, Item>();
  await within(table.wire.clock, options, async (deadline) => {
    for (let from = 0; from < keys.length; from += BATCH) {
      for (const item of await readBatch(table, keys.slice(from, from + BATCH), deadline)) {
        const names = Object.keys(keys[0] as Item);
        found.set(keyText(Object.fromEntries(names.map((name) => [name, item[name]])) as Item), item);
      }
    }
  });
  return wanted.map(({ text }) => table.view(found.get(text)));
}

// A sparse list is one of undefined, each of which is refused as no identity.
function listed<I>(identities: readonly I[]): readonly I[] {
  if (Array.isArray(identities)) return Array.from(identities);
  throw new InvalidInputError(
    'identities',
    `${describe(identities)} is no list`,
    "Pass an array of what identifies each item, as [{ id: 'a1' }].",
  );
}

// The service answers what it has capacity for and hands the rest back.
async function readBatch<T extends object, K extends keyof T>(
  { wire, tableName }: Table<T, K>,
  keys: readonly Item[],
  deadline: Deadline,
): Promise<Item[]> {
  const items: Item[] = [];
  let left: Item[] = [...keys];
  for (let attempt = 1; left.length > 0; attempt++) {
    const RequestItems = { [tableName]: { Keys: left, ConsistentRead: true } };
    const request: Request = { op: 'BatchGetItem', input: { RequestItems } };
    if (attempt > 1) {
      const pauseMs = fullJitter(attempt - 1, unprocessed, wire.random);
      await sleep(wire.clock, pauseMs, deadline.signal).catch(() => {
        throw waitEnded(request, deadline);
      });
    }
    const output = await read(wire, request, deadline);
    // By position: an answer may name the table where the request gave its ARN.
    items.push(...Object.values((output.Responses ?? {}) as Record<string, Item[]>).flat());
    left = Object.values(output.UnprocessedKeys ?? {}).flatMap(({ Keys }) => Keys ?? []);
  }
  return items;
}
