import { inTurn, type WriteOptions, writeOptions } from '../dynamo/in-turn.ts';
import { ItemReport } from '../dynamo/item-report.ts';
import { LogicalRequest } from '../dynamo/logical-request.ts';
import { placeText } from '../dynamo/plan.ts';
import type { Place } from '../dynamo/turn.ts';
import { isHeard } from '../fence/channel.ts';
import { checkOptions } from '../fence/options.ts';
import { reporting } from '../fence/reporting.ts';
import type { Session } from '../fence/session.ts';
import { actionsOf } from './actions.ts';
import { refusedWith } from './gravest-first.ts';
import { LogicalTransaction, type Outcome } from './logical-transaction.ts';
import { checkOneClient, named } from './named-steps.ts';
import { type Part, partOf, placed, subjectOfPart } from './part.ts';
import type { Steps, TransactResult } from './transact-result.ts';

/**
 * Writes several items at one moment, or none of them: each step is admitted by its own fence and by its own
 * conditions, and one that is refused stops all. Applied at most once, however often it had to be sent.
 *
 * The steps come from any number of repositories and leases of one account and Region, made with one client.
 * Each of them joins the queues of its fences, so writes and transactions of a lease arrive in the order of
 * their calls, item by item.
 *
 * @param steps plans of repositories and `leases.check(lease)`, by name or in a list; 1 to 100 items, 4 MB. One
 * item is written once; checks on an item that is written become part of the write.
 * @param options `timeoutMs` for the whole call, in ms (default 10,000), `signal`, `whileHeld`.
 * @returns `{ ok: true, replayed, versions }` with the version that each step left; or the gravest refusal with its
 * `step`, `tableName` and `key`, and `refused`, all refusals in the order of the steps. Each says what its verb
 * says: `item` and `version`, or the tokens. A check of a lease answers `fenced` where a newer token was issued,
 * `lost` where the lease was released. `contention` where other transactions or throttling were in the way until
 * the end of `timeoutMs`. A fence that is known to be fenced answers without a request.
 * @throws InvalidInputError before anything is sent; OutcomeUnknownError, whose `resolve()` sends the same bytes with
 * the same ClientRequestToken; UnavailableError, CorruptFenceError, UnfencedItemError, LeaseReleasedError,
 * LeaseExpiredError, or the service's error.
 * Costs 1 request, and twice the write units of single writes: 2 WCU per KB of each item, checks included.
 * Under bare fences alone it is sent once, as their single writes are.
 * @example
 * const result = await transact({
 *   debit: accounts.plan.update(a, { id: 'a1' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
 *   credit: accounts.plan.update(b, { id: 'b1' }, { balance: add(30) }),
 *   held: leases.check(a),
 * });
 * if (!result.ok && result.step === 'debit' && result.reason === 'condition') tell(result.item.balance);
 */
export async function transact<const S extends Steps>(
  steps: S,
  options?: WriteOptions,
): Promise<TransactResult<S>> {
  const checked = checkOptions(options, writeOptions);
  const all = named(steps);
  const parts = all.map(partOf);
  checkOneClient(all);
  const planned = { parts, actions: actionsOf(parts), places: placesOf(parts) };
  const wire = all[0]?.step.wire as NonNullable<(typeof all)[0]>['step']['wire'];
  const report = isHeard() ? new ItemReport<Outcome>(wire.clock, parts.map(subjectOfPart)) : undefined;
  const transacted = inTurn<Outcome>(wire, planned.places, checked, {
    known: () => knownFenced(parts),
    send: async (deadline, objection) => {
      const sessions = planned.places.map(({ session }) => session);
      // All of them first: none is used up because another one is.
      for (const session of sessions) session.assertUnspent();
      const stamps = new Map(sessions.map((session) => [session, session.nextStamp()]));
      const request = new LogicalRequest(wire, new LogicalTransaction(wire, planned, stamps));
      report?.follow(request.copies);
      try {
        return await request.settle(deadline, objection);
      } finally {
        if (request.unseen) for (const [session, stamp] of stamps) session.takeBack(stamp);
      }
    },
  });
  const outcome = await (report === undefined ? transacted : reporting(report, transacted, checked.signal));
  // Its names are those of the steps, and what each answers is typed by its plan.
  return outcome as unknown as TransactResult<S>;
}

/** The queues of each fence: those of all items that it writes or asks about. */
function placesOf(parts: readonly Part[]): readonly Place[] {
  const keys = new Map<Session, Set<string>>();
  for (const { session, tableName, key, queued } of parts) {
    const own = keys.get(session) ?? new Set();
    if (queued) own.add(placeText(tableName, key));
    keys.set(session, own);
  }
  return [...keys].map(([session, own]) => ({ session, keys: [...own] }));
}

function knownFenced(parts: readonly Part[]): Outcome | undefined {
  const refused = parts.flatMap((part) => {
    const { fenced } = part.session;
    return fenced === undefined ? [] : [placed(part, fenced)];
  });
  return refused.length > 0 ? refusedWith(refused) : undefined;
}
