import type { Item } from '../dynamo/attributes.ts';
import { CONDITION_FAILED, cancellationReasons } from '../dynamo/cancellation.ts';
import type { Wire } from '../dynamo/client.ts';
import type { Settling } from '../dynamo/logical-request.ts';
import { lookAt } from '../dynamo/refusal-evidence.ts';
import type { Action } from './actions.ts';
import type { Part, PartVerdict } from './part.ts';
import { type Stamps, stampIn } from './transact-request.ts';

/** What one action met, where anything is known of it. */
export interface Finding {
  readonly action: Action;
  /** Whether its condition failed; false where it was only looked at. */
  readonly refused: boolean;
  readonly item: Item | undefined;
}

/** What the steps of a finding say. */
export interface Judged {
  readonly part: Part;
  readonly verdict: PartVerdict;
  readonly item: Item | undefined;
}

/** What is looked at, and by whom. */
export interface Looking {
  readonly wire: Wire;
  readonly actions: readonly Action[];
  readonly stamps: Stamps;
  /** The transaction in words, for errors. */
  readonly name: string;
}

/**
 * What refused a transaction, action by action: from the cancellation, or from consistent reads where the
 * engine does not show it. While an earlier copy is undecided, what the others wrote is looked at too: an item
 * that a conflict hid may carry the only trace of it.
 */
export async function findingsOf(
  looking: Looking,
  error: unknown,
  settling: Settling,
): Promise<readonly Finding[]> {
  const reasons = cancellationReasons(error);
  const found = looking.actions.map(async (action, index): Promise<Finding | undefined> => {
    const reason = reasons[index];
    const refused = reason === undefined || reason.code === CONDITION_FAILED;
    const mayHoldTrace = settling.copies.undecided > 0 && isStrong(action, looking.stamps);
    if (!refused && !mayHoldTrace) return undefined;
    return { action, refused, item: reason?.item ?? (await look(looking, action, settling)) };
  });
  return (await Promise.all(found)).filter((finding) => finding !== undefined);
}

/** What all items that are written look like now. */
export async function tracesOf(looking: Looking, settling: Settling): Promise<readonly Finding[]> {
  const written = looking.actions.filter(({ writer }) => writer !== undefined);
  return Promise.all(
    written.map(async (action) => ({ action, refused: false, item: await look(looking, action, settling) })),
  );
}

/** Whether an action leaves a trace that only this transaction can have left. */
function isStrong({ writer }: Action, stamps: Stamps): boolean {
  return writer !== undefined && stampIn(stamps, writer.session).kind !== 'bare';
}

/**
 * What each step of each finding says, about an item that was only looked at no more than that a trace of ours is
 * there, or a newer fence.
 *
 * @throws OutcomeUnknownError where something cannot be judged and a copy is undecided, else what makes it so.
 */
export function judgedOrUnknown(
  findings: readonly Finding[],
  stamps: Stamps,
  { copies, unknown }: Settling,
): readonly Judged[] {
  try {
    return findings.flatMap((finding) => {
      const all = judged(finding, stamps);
      return finding.refused ? all : all.filter(({ verdict: { is } }) => is === 'applied' || is === 'fenced');
    });
  } catch (error) {
    throw copies.undecided > 0 ? unknown(error) : error;
  }
}

// «Your condition» is what is left when nothing else explains a refusal, so it is dropped where another step on
// the same item has a better explanation.
function judged({ action, item }: Finding, stamps: Stamps): readonly Judged[] {
  const all = action.parts.map((part) => ({
    part,
    item,
    verdict: part.judge(stampIn(stamps, part.session), item),
  }));
  const explained = all.some(({ verdict: { is } }) => is !== 'unexplained' && is !== 'condition');
  return explained ? all.filter(({ verdict }) => verdict.is !== 'condition') : all;
}

function look({ wire, name }: Looking, { parts }: Action, settling: Settling): Promise<Item | undefined> {
  const [part] = parts;
  return lookAt(wire, { TableName: part?.tableName, Key: part?.key }, name, settling);
}
