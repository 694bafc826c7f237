import type { Account } from '../support/accounts.ts';

/** What one of the holders does to the one account that there is. */
export interface Step {
  readonly by: number;
  readonly verb: 'create' | 'put' | 'update' | 'upsert' | 'delete' | 'claim' | 'modify';
  readonly amount: number;
  /** The least balance, where that is asked. */
  readonly least: number | undefined;
  /** Which of the versions that were ever shown must be there, counted from the last; undefined: any. */
  readonly version: number | undefined;
}

interface Holder {
  readonly token: number;
  readonly holder: string;
}

/**
 * The rules of a repository on one item, without requests, conditions or copies: what a reader of the
 * documentation would expect. It knows no more of the library than its words.
 */
export class ModelledAccount {
  readonly #holders: readonly Holder[];
  readonly #seqs: number[];
  readonly #fenced: (object | undefined)[];
  /** Who wrote last; undefined: nobody with a fence. */
  last: Holder | undefined;
  /** What users see. */
  seen: { readonly item: Account; readonly version: string } | undefined;

  constructor(holders: readonly Holder[], initial: Account | undefined) {
    this.#holders = holders;
    this.#seqs = holders.map(() => 0);
    this.#fenced = holders.map(() => undefined);
    this.seen = initial && { item: initial, version: 'unfenced' };
  }

  /** What the step answers. `ifVersion` is the version that it names. */
  take({ by, verb, amount, least }: Step, ifVersion: string | undefined): object {
    if (verb === 'modify') {
      const claimed = this.#take(by, 'claim', 0, undefined, undefined);
      if ('reason' in claimed) return claimed;
      return this.#take(by, 'put', amount, undefined, undefined);
    }
    return this.#take(by, verb, amount, least, ifVersion);
  }

  #take(
    by: number,
    verb: Exclude<Step['verb'], 'modify'>,
    amount: number,
    least: number | undefined,
    ifVersion: string | undefined,
  ): object {
    const me = this.#holders[by] as Holder;
    const sticky = this.#fenced[by];
    if (sticky !== undefined) return sticky;
    this.#seqs[by] = (this.#seqs[by] ?? 0) + 1;
    const { last, seen } = this;

    const saw = { lastToken: last?.token, lastHolder: last?.holder };
    if (last !== undefined && last.token > me.token) {
      this.#fenced[by] = { reason: 'fenced', ...saw, applied: 'no' };
      return this.#fenced[by];
    }
    if (last !== undefined && last.token === me.token && last.holder !== me.holder)
      return { reason: 'token-reused', ...saw };

    if (verb === 'create' && seen !== undefined) return { reason: 'exists', ...seen };
    const asks = least !== undefined || ifVersion !== undefined;
    if (seen === undefined && (verb === 'update' || asks)) return { reason: 'not-found' };
    if (seen !== undefined && ifVersion !== undefined && seen.version !== ifVersion)
      return { reason: 'version', ...seen };
    if (seen !== undefined && least !== undefined && (seen.item.balance ?? 0) < least)
      return { reason: 'condition', ...seen };

    this.last = me;
    const version = `${me.token}.${this.#seqs[by]}.${me.holder}`;
    if (verb === 'delete') {
      this.seen = undefined;
      return { ok: true, item: seen?.item };
    }
    if (verb === 'claim') {
      if (seen?.version === 'unfenced') this.seen = { ...seen, version };
      return { ok: true, item: seen?.item, version: this.seen?.version };
    }
    const adds = verb === 'update' || verb === 'upsert';
    const balance = adds ? (seen?.item.balance ?? 0) + amount : amount;
    this.seen = { item: { ...(adds && seen?.item), id: 'a', balance }, version };
    return { ok: true, ...this.seen, token: me.token, replayed: false };
  }
}
