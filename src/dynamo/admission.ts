import type { Stamp } from '../fence/session.ts';
import type { HiddenAttributes } from './attributes.ts';
import type { Placeholders } from './placeholders.ts';

/** What becomes of items that were written before fencing was adopted. */
export type UnfencedPolicy = 'adopt' | 'refuse';

/**
 * THE condition: whether the storage admits a write that carries this stamp. Everything else that this
 * library does only decides what to do with the answer.
 *
 *     the item in the storage                    lease, numbered   bare fence    why
 *     ─────────────────────────────────────────  ───────────────   ───────────   ──────────────────────────────
 *     absent                                     admitted          admitted      nobody has fenced it
 *     without a fence (written before adoption)  admitted ¹        admitted ¹    nobody has fenced it
 *     fence smaller                              admitted          admitted      an older holder wrote last
 *     fence equal, same holder, seq smaller      admitted          admitted      our own earlier request
 *     fence equal, same holder, seq equal        refused           refused       this very request: applied before
 *     fence equal, same holder, seq larger       refused           refused       our own later request
 *     fence equal, other holder                  refused           admitted ²    one number, two grants
 *     fence larger                               refused           refused       a newer holder: we are stale
 *     fence no number (text, null)               refused           refused       nothing can be compared with it
 *     ¹ refused with `unfenced: 'refuse'`, where only an absent item counts as never fenced
 *     ² others may carry the same token; a holder that is no text is refused
 *
 * `fence <= :f` alone would admit a retried copy of the same request twice (`balance − 10` becomes − 20)
 * and would let two grants of one number overwrite each other.
 *
 * Only positive comparisons are used. In DynamoDB a comparison of unlike types, or with a missing
 * attribute, is false and no error: `NOT (fence > :f)` would therefore let everybody in as soon as the
 * fence is damaged. For the same reason `<>` stands beside a check of the type: it is true of anything.
 */
export function admission(
  stamp: Stamp,
  attributes: HiddenAttributes,
  placeholders: Placeholders,
  neverFenced = `attribute_not_exists(${placeholders.name(attributes.fence)})`,
): string {
  const fence = placeholders.name(attributes.fence);
  const holder = placeholders.name(attributes.holder);
  const seq = placeholders.name(attributes.seq);
  const ourToken = placeholders.number(stamp.token);
  const ourHolder = placeholders.string(stamp.holder);
  const ourSeq = placeholders.number(stamp.seq);

  const olderHolder = `${fence} < ${ourToken}`;
  const ownEarlierRequest = `(${fence} = ${ourToken} AND ${holder} = ${ourHolder} AND ${seq} < ${ourSeq})`;
  const admitted = [neverFenced, olderHolder, ownEarlierRequest];
  if (stamp.kind === 'bare') {
    // Spelled out rather than nested: a reader can match each with a row above, and the parsers of some engines
    // take time that grows with the power of the depth.
    const isText = `attribute_type(${holder}, ${placeholders.string('S')})`;
    admitted.push(
      `(${fence} = ${ourToken} AND attribute_not_exists(${holder}))`,
      `(${fence} = ${ourToken} AND ${isText} AND ${holder} <> ${ourHolder})`,
    );
  }
  return `(${admitted.join(' OR ')})`;
}
