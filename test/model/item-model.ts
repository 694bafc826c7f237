import { contentOf, isLive } from '../simulation/item-row.ts';
import type { Row } from '../simulation/storage.ts';
import { saysNo, tell } from '../simulation/told.ts';
import type { Call } from './call.ts';
import type { ItemVerb } from './event.ts';
import type { Promises } from './promises.ts';

/** What a verb makes of a balance (undefined: there is no item), or that it must have been refused. */
const effects: Record<
  Exclude<ItemVerb, 'claim'>,
  (balance: number | undefined) => number | undefined | 'refused'
> = {
  create: (balance) => (balance === undefined ? 1 : 'refused'),
  put: () => 5,
  add: (balance) => (balance === undefined ? 'refused' : balance + 1),
  subtract: (balance) => (balance === undefined || balance < 1 ? 'refused' : balance - 1),
  upsert: (balance) => (balance ?? 0) + 1,
  delete: () => undefined,
  rewrite: (balance) => (balance ?? 0) + 2,
  modify: (balance) => (balance ?? 0) + 2,
};

/**
 * One item as the documentation describes it: a balance or nothing, and who wrote or claimed it last. It is
 * told of every request that the storage has accepted and of every answer that a caller got, and knows nothing
 * of conditions.
 */
export class ItemModel {
  readonly #promises: Promises;
  #balance: number | undefined;
  #newest = { token: 0, holder: 'z' };

  constructor(start: Row | undefined, promises: Promises) {
    this.#promises = promises;
    this.#balance = balanceOf(start);
  }

  accepted(call: Call, kind: 'claim' | 'write', before: Row | undefined, after: Row | undefined): void {
    const { expect } = this.#promises;
    const { token, holder, name, verb } = call;
    const newest = this.#newest;
    expect(token >= newest.token, `an older holder was accepted after a newer one: ${name}`);
    const twoHolders = token === newest.token && holder !== newest.holder;
    expect(!twoHolders, `two holders were accepted under one token: ${name}`);
    this.#newest = { token, holder };
    if (kind === 'claim' || verb === 'claim') {
      expect(balanceOf(after) === this.#balance, `a claim changed the item: ${name}`);
      return;
    }
    call.applied += 1;
    expect(call.applied === 1, `one logical write was applied twice: ${name}`);
    expect(!isFinal(call), `told ${call.told}, and then applied: ${name}`);
    const knew = verb !== 'rewrite' || call.read === contentOf(before);
    expect(knew, `an update was lost: ${name} overwrote what its claim had not read`);
    const balance = effects[verb](this.#balance);
    expect(balance !== 'refused', `it had to be refused: ${name}`);
    const is = balanceOf(after);
    expect(is === balance, `the item is not what its writes make of it: ${is} after ${name}`);
    call.left = verb === 'delete' ? this.#balance : is;
    this.#balance = is;
  }

  /** A caller is told what came of its call, or of its resolve(). */
  ended(call: Call, result: unknown): void {
    const { expect } = this.#promises;
    const { name, verb, applied } = call;
    const told = tell(result);
    call.told = told;
    this.#promises.happened(`${verb}: ${told}`);
    if ((result as Told).replayed === true) this.#promises.happened(`${verb}: replayed`);
    expect(!/Error|Exception/.test(told), `a call failed with ${told}: ${name}`);
    const open = told === 'outcome-unknown' || told === 'contention' || told.endsWith('perhaps applied');
    expect(!open || call.disturbed, `every answer arrived in time, and yet told ${told}: ${name}`);
    if (verb === 'claim') return;
    expect(told !== 'ok' || applied === 1, `ok, and applied ${applied} times: ${name}`);
    // A copy that nobody counts may also come before its caller, who was stopped, hears of the refusal.
    expect(!isFinal(call) || applied === 0, `told ${told}, and applied: ${name}`);
    const { ok, replayed, item } = result as Told;
    if (ok === true && !replayed) {
      expect(item?.balance === call.left, `ok, with ${item?.balance} instead of ${call.left}: ${name}`);
    }
  }
}

/**
 * Whether its caller was told that it was not applied and never will be. The documented limit: the library
 * counts the copies that it sends, and knows nothing of others. Those are kept out for good by the fence, and by
 * nothing else: what was refused for the content, or could not be asked about, may meet another item later.
 */
function isFinal({ told, duplicated }: Call): boolean {
  if (told === undefined || !saysNo(told)) return false;
  return !duplicated || ['fenced', 'token-reused', 'superseded'].includes(told);
}

interface Told {
  readonly ok?: boolean;
  readonly replayed?: boolean;
  readonly item?: { readonly balance: number };
}

function balanceOf(row: Row | undefined): number | undefined {
  return isLive(row) ? Number(row?.balance?.N) : undefined;
}
