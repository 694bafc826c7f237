import type { Stamp } from '../fence/session.ts';
import { type Item, isLive, storedStamp, versionOf } from './attributes.ts';
import { claimExpects, claimRequest } from './claim-request.ts';
import type { Wire } from './client.ts';
import { Copies, deliver } from './deliver.ts';
import type { Settling } from './logical-request.ts';
import { type FencedTable, ROUNDS, type WritePlan } from './plan.ts';
import { readItem } from './read.ts';
import { beneath } from './unavailable.ts';
import { judge, type Seen, sealSeq } from './verdict.ts';

/**
 * What a seal found.
 * - `final`: no copy of the sealed write was applied, and none can be from now on. `item` is what is there.
 * - `applied`: a copy was applied; its content is still there.
 * - `fenced`: a newer holder came first. Whether a copy was applied before it, nobody can tell any more.
 */
export type Sealed =
  | { readonly is: 'final'; readonly item: Item | undefined }
  | { readonly is: 'applied'; readonly item: Item | undefined; readonly newer: Seen | undefined }
  | { readonly is: 'fenced'; readonly seen: Seen }
  | { readonly is: 'unknown'; readonly error: unknown };

/** Up to when it may be sent. */
type Bounds = Pick<Settling, 'deadline' | 'objection'>;

/**
 * Makes a refusal final while another copy of the refused write is still out.
 *
 * «Your condition failed» is true of the moment at which one copy arrived. A late copy may arrive when the
 * item has changed, be accepted, and turn the answer into a lie. So the item is claimed with a number
 * between this write and the holder's next one: whatever copy arrives after that is refused by its stamp.
 *
 * Costs one claim: a request, and the write units of the item.
 *
 * @param plan the write whose copies are kept out, or one of those in a transaction.
 */
export async function seal(
  wire: Wire,
  plan: Pick<WritePlan<unknown, unknown>, 'verb' | 'table' | 'key'>,
  stamp: Stamp,
  bounds: Bounds,
): Promise<Sealed> {
  const sealed = await place(wire, plan, stamp, bounds).catch((error: unknown) => ({
    is: 'unknown' as const,
    error: beneath(error),
  }));
  if (sealed.is !== 'final' || plan.verb !== 'delete' || isLive(sealed.item, plan.table.attributes)) {
    return sealed;
  }
  // A delete leaves no version, so an item that is gone may be its own doing.
  return { is: 'unknown', error: new Error('the item is gone, and nothing tells who deleted it') };
}

async function place(
  wire: Wire,
  { table, key }: Pick<WritePlan<unknown, unknown>, 'table' | 'key'>,
  stamp: Stamp,
  { deadline, objection }: Bounds,
): Promise<Sealed> {
  const sealStamp: Stamp = { ...stamp, seq: sealSeq(stamp) };
  const copies = new Copies(wire.random.nonce());
  let met: Item | undefined;
  for (let round = 1; round <= ROUNDS; round++) {
    const delivery = await deliver(wire, claimRequest(table, key, sealStamp, met), deadline, copies, {
      objection,
    });
    if (delivery.is === 'contention' || delivery.is === 'unknown')
      return { is: 'unknown', error: delivery.error };
    const done = delivery.is === 'done';
    met = done
      ? delivery.output.Attributes
      : (delivery.item ?? (await readItem(wire, { TableName: table.tableName, Key: key }, deadline)));
    if (met?.[table.attributes.version]?.S === versionOf(stamp)) {
      return { is: 'applied', item: met, newer: newerThan(stamp, met, table) };
    }
    if (done) return { is: 'final', item: met };
    const verdict = judge(sealStamp, met, claimExpects, table.attributes, table.unfenced);
    if (verdict.is === 'applied') return { is: 'final', item: met };
    if (verdict.is === 'fenced') return { is: 'fenced', seen: verdict.seen };
    if (verdict.is !== 'unexplained') return { is: 'unknown', error: delivery.error };
  }
  return {
    is: 'unknown',
    error: new Error(`the item changed ${ROUNDS} times while its refusal was being sealed`),
  };
}

function newerThan(stamp: Stamp, item: Item, { attributes }: FencedTable): Seen | undefined {
  const stored = storedStamp(item, attributes);
  if (stored === undefined || stored === 'corrupt' || stored.token <= stamp.token) return undefined;
  return { lastToken: stored.token as Seen['lastToken'], lastHolder: stored.holder };
}
