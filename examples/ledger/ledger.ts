import {
  type CallOptions,
  type Clock,
  type DynamoTokenSource,
  type Fence,
  type Lease,
  type LeaseManager,
  type Page,
  transact,
  transactGet,
} from 'dynamodb-fenced';
import { type AuditResult, audit } from './audit.ts';
import { checkOrder, isSameOrder, type Order } from './order.ts';
import type { Account, Entry, Line } from './records.ts';
import { resolved } from './resolved.ts';
import { accountResource, openTables, type Tables, type TablesOptions } from './tables.ts';
import type { OpenResult, TransferResult } from './transfer-result.ts';
import { transferSteps } from './transfer-steps.ts';

/** What a ledger is made of. Its `clock` dates the entries; default this machine's. */
export interface LedgerOptions extends TablesOptions {
  readonly leases: LeaseManager<DynamoTokenSource>;
  /** How long a transfer waits for others of the same accounts, in ms. Default 2,000. */
  readonly waitMs?: number;
}

/** On what terms an account is opened. `limit` is the lowest balance that it may have; default 0. */
export type Terms = Pick<Account, 'id' | 'currency'> & Partial<Pick<Account, 'limit'>>;

/** Under which circumstances money is moved. */
export interface TransferOptions extends CallOptions {
  /**
   * What somebody has who holds the payer's account already, and has claimed it. It is good for one transfer, and the
   * lease stays theirs. Without it, the ledger takes the lease for as long as the transfer takes.
   */
  readonly fence?: Fence;
  /** The payer's account as whoever asks has seen it: another version is refused as `version`. */
  readonly ifVersion?: string;
}

/** Which part of a statement. */
export interface StatementOptions extends CallOptions {
  /** How many lines. Default 20. */
  readonly limit?: number;
  /** Where the page before ended. */
  readonly cursor?: string;
  /** Default false: from the first line on. */
  readonly newestFirst?: boolean;
}

/**
 * Accounts, and money that moves between them. A transfer is one transaction of both balances and the journal,
 * under the leases of both accounts; so money is neither made nor lost, and a key moves it once, whoever was
 * paused, killed or not heard.
 */
export class Ledger {
  readonly tables: Tables;
  readonly #leases: LeaseManager<DynamoTokenSource>;
  readonly #waitMs: number;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(options: LedgerOptions) {
    this.tables = openTables(options);
    this.#leases = options.leases;
    this.#waitMs = options.waitMs ?? 2_000;
    this.#clock = options.clock ?? Date;
  }

  /** Opens an account. Again on the same terms: the same account. */
  async open({ id, currency, limit = 0 }: Terms): Promise<OpenResult> {
    if (!Number.isSafeInteger(limit)) throw new RangeError(`limit: ${limit} is no safe integer.`);
    if (limit > 0) throw new RangeError(`limit: ${limit} is more than an account begins with, which is 0.`);
    const opened = await this.#leases.using(accountResource(id), { waitMs: this.#waitMs }, (lease) =>
      resolved(this.tables.accounts.create(lease, { id, currency, limit, balance: 0 })),
    );
    if (!opened.ok) return opened;
    const { value } = opened;
    if (value.ok) return { ok: true, account: value.item };
    if (value.reason !== 'exists') return { ok: false, reason: value.reason };
    const { item: account } = value;
    const isOnSameTerms = account.currency === currency && account.limit === limit;
    return isOnSameTerms ? { ok: true, account } : { ok: false, reason: 'exists', account };
  }

  /**
   * Moves money, once per key: whoever asks again is answered what was done then. What was refused has left
   * nothing, so its key is free.
   *
   * @param amount in the smallest unit of the currency: a positive safe integer.
   * @param idempotencyKey chosen by who wants the transfer, before the first try.
   * @throws RangeError where the arguments cannot be a transfer. OutcomeUnknownError and UnavailableError where the
   * database could not be reached: the same call with the same key finds out what became of it, or makes up for it.
   */
  async transfer(
    from: string,
    to: string,
    amount: number,
    idempotencyKey: string,
    { fence, ifVersion, ...options }: TransferOptions = {},
  ): Promise<TransferResult> {
    const order = { from, to, amount, idempotencyKey };
    checkOrder(order);
    const { accounts, entries } = this.tables;
    const found = await transactGet(
      {
        entry: entries.plan.get({ id: idempotencyKey }),
        from: accounts.plan.get({ id: from }),
        to: accounts.plan.get({ id: to }),
      },
      options,
    );
    if (found.entry !== undefined) return answerOf(found.entry.item, order);
    if (found.from === undefined) return { ok: false, reason: 'no-account', account: from };
    if (found.to === undefined) return { ok: false, reason: 'no-account', account: to };
    if (found.from.item.currency !== found.to.item.currency) return { ok: false, reason: 'currency' };

    const resources = [...(fence === undefined ? [accountResource(from)] : []), accountResource(to)];
    const acquired = await this.#leases.acquireAll(resources, { ...options, waitMs: this.#waitMs });
    if (!acquired.ok) return acquired;
    await using taken = acquired;
    const [payer, toLease] = [fence ?? taken.leases[0], taken.leases.at(-1)];
    if (toLease === undefined || payer === undefined) throw new Error('all were granted');
    const grants = { from: payer, to: toLease, all: taken.leases };
    // Awaited here: at the end of this scope the leases are released.
    return await this.#carryOut(order, found.from.item, grants, ifVersion, options);
  }

  async #carryOut(
    order: Order,
    account: Account,
    grants: { readonly from: Fence; readonly to: Lease; readonly all: readonly Lease[] },
    ifVersion: string | undefined,
    options: CallOptions,
  ): Promise<TransferResult> {
    const { idempotencyKey: id, from, to, amount } = order;
    const { currency, limit } = account;
    const tokens = { fromToken: grants.from.token, toToken: grants.to.token };
    const entry: Entry = { id, from, to, amount, currency, ...tokens, atMs: this.#clock.now() };
    const result = await resolved(
      transact(
        {
          ...transferSteps(this.tables, grants, account, entry, ifVersion === undefined ? {} : { ifVersion }),
          ...Object.fromEntries(grants.all.map((lease) => [lease.resource, this.#leases.check(lease)])),
        },
        options,
      ),
      options,
    );
    if (result.ok) return { ok: true, entry, replayed: result.replayed };
    // Before the balances: what this key has done may be why there is no money left.
    for (const refusal of result.refused) {
      if (refusal.step === 'entry' && refusal.reason === 'exists') return answerOf(refusal.item, order);
    }
    if (result.step === 'debit' && result.reason === 'condition') {
      const { balance } = result.item;
      if (balance < limit + amount) return { ok: false, reason: 'insufficient', balance, limit };
    }
    if (result.step === 'credit' && result.reason === 'condition' && result.item.currency === currency) {
      return { ok: false, reason: 'overflow' };
    }
    // Each lease moves money once: the token is what tells the lines of an account apart.
    if (result.step === 'debitLine' && result.reason === 'exists') {
      return { ok: false, reason: 'lost', resource: grants.from.resource, token: entry.fromToken };
    }
    return result;
  }

  /** A page of what happened to an account, in the order in which it happened. */
  async statement(account: string, options: StatementOptions = {}): Promise<Page<Line>> {
    const { limit = 20, newestFirst = false, ...call } = options;
    const lines = this.tables.lines.query({
      ...call,
      ...{ key: { account }, limit, reverse: newestFirst, consistent: true },
    });
    for await (const page of lines.pages()) return page;
    return { items: [], cursor: undefined };
  }

  /** Recomputes every balance from the journal. The ledger may be in use meanwhile. */
  audit(options: CallOptions = {}): Promise<AuditResult> {
    return audit(this.tables, options);
  }
}

/** What a key is answered that has been used. */
function answerOf(entry: Entry, order: Order): TransferResult {
  return isSameOrder(entry, order)
    ? { ok: true, entry, replayed: true }
    : { ok: false, reason: 'key-reused', entry };
}
