import type { Item } from '../dynamo/attributes.ts';
import { type WriteOptions, writeOptions } from '../dynamo/in-turn.ts';
import type { Changes } from '../dynamo/operators.ts';
import { keyText } from '../dynamo/plan.ts';
import { write } from '../dynamo/write.ts';
import type { CallOptions } from '../fence/call-options.ts';
import { stopwatch } from '../fence/clock.ts';
import { DEFAULT_TIMEOUT_MS } from '../fence/deadline.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { type Fence, sessionOf } from '../fence/fence.ts';
import { callOptions, checkOptions } from '../fence/options.ts';
import type { ClaimResult, DeleteResult, WriteResult } from '../fence/result.ts';
import { within } from '../fence/within.ts';
import { claimPlan } from './claim.ts';
import { deletePlan } from './delete.ts';
import { getItem } from './get.ts';
import { getMany } from './get-many.ts';
import { type Inspection, inspectItem } from './inspect.ts';
import {
  conditionalWriteOptions,
  queryOptions,
  repositoryOptions,
  scanOptions,
  updateOptions,
} from './option-checks.ts';
import type { ConditionalWriteOptions, FencedRepositoryOptions, UpdateOptions } from './options.ts';
import { refuseConditions } from './own-condition.ts';
import type { FoundItems } from './pages.ts';
import { Plans } from './plans.ts';
import { putPlan } from './put.ts';
import { type QueryOptions, queryItems, type ScanOptions, scanItems } from './query.ts';
import { Table, type Versioned } from './table.ts';
import { updatePlan } from './update.ts';
import { checkSchema, validate, validatedBefore } from './validate.ts';

/**
 * The items of one table, each guarded by a fence. Every mutation takes the fence first, is one conditional
 * request, and is applied at most once however often it had to be sent.
 *
 * `T` is the item as users see it, `K` the attributes that identify it, `Keys` the key attributes that items do
 * not show, which a query names nevertheless. The hidden attributes of the fence are neither seen nor set.
 *
 * A helper for repositories of several types names the calls that it makes, as `{ update(fence: Fence, identity:
 * { id: string }, changes: { balance: Op<'add', number | bigint> }): Promise<WriteResult<{ balance: number }>> }`:
 * a type parameter `<T>` would hide what the types of changes and conditions need to see.
 *
 * @example
 * const accounts = new FencedRepository<Account, 'id'>({
 *   client, tableName: 'accounts', key: ['id'], resource: ({ id }) => `account/${id}`,
 * });
 * @example
 * const orders = new FencedRepository<Order, 'customer' | 'id', { pk: string; sk: string }>({
 *   client, tableName: 'shop', resource: ({ customer }) => `customer/${customer}`,
 *   key: ({ customer, id }) => ({ pk: `CUSTOMER#${customer}`, sk: `ORDER#${id}` }),
 * });
 * for await (const order of orders.query({ key: { pk: 'CUSTOMER#c1', sk: beginsWith('ORDER#') } })) print(order);
 */
export class FencedRepository<T extends object, K extends keyof T & string, Keys extends object = object> {
  readonly #table: Table<T, K>;
  readonly #schema: FencedRepositoryOptions<T, K>['schema'];
  readonly #plans: Plans<T, K> | undefined;

  /** @throws InvalidInputError where an option cannot work. Sends nothing. */
  constructor(options: FencedRepositoryOptions<T, K>) {
    const checked = checkOptions(options, repositoryOptions);
    this.#table = new Table(checked);
    this.#schema = checkSchema(checked.schema);
    this.#plans = checked.transactions === false ? undefined : new Plans(this.#table, this.#schema);
  }

  /** The name or the ARN that it was given. */
  get tableName(): string {
    return this.#table.tableName;
  }

  /**
   * The verbs as values, for `transact` and `transactGet`: each is checked at once, as the verb itself checks
   * it, and nothing is sent.
   *
   * @throws InvalidInputError where the repository was made with `transactions: false`.
   * @example
   * await transact({
   *   debit: accounts.plan.update(a, { id: 'a1' }, { balance: add(-30) }, { when: { balance: gte(30) } }),
   *   credit: accounts.plan.update(b, { id: 'b1' }, { balance: add(30) }),
   * });
   */
  get plan(): Plans<T, K> {
    if (this.#plans !== undefined) return this.#plans;
    throw new InvalidInputError(
      'transactions',
      `the repository of ${this.tableName} was made with transactions: false`,
      'A table with multi-Region strong consistency takes part in no transaction. Use single writes, or a table in one Region.',
    );
  }

  /**
   * Reads one item, strongly consistently. For those who will not write: an older holder may still change
   * the item after this read. Before a write that depends on what was read, {@link claim} it.
   *
   * @returns the item with its version; undefined where there is none, or where it was deleted.
   * @throws InvalidInputError where the key cannot be one; UnavailableError where no answer came; the service's error;
   * UnreadableValueError where a stored value cannot be told in JavaScript; the signal's reason. Costs 1 request, 1 RCU per 4 KB.
   */
  async get(identity: Pick<T, K>, options?: CallOptions): Promise<Versioned<T> | undefined> {
    return getItem(this.#table, identity, checkOptions(options, callOptions));
  }

  /**
   * Reads many items, strongly consistently, each on its own: together they are no snapshot.
   *
   * @returns in the order of `identities`, undefined where there is no item. Keys that the service left
   * unprocessed are asked for again until the deadline.
   * @throws as {@link get}. Costs 1 request per 100 items, 1 RCU per 4 KB of each item.
   */
  async getMany(
    identities: readonly Pick<T, K>[],
    options?: CallOptions,
  ): Promise<(Versioned<T> | undefined)[]> {
    return getMany(this.#table, identities, checkOptions(options, callOptions));
  }

  /**
   * Live items of one partition, of the table or of an index, in the order of the sort key, read as they are
   * asked for. Tombstones are passed over, but not for free.
   *
   * @param options `limit` is the size of a page of live items, not the end of the iteration: `first(n)` ends after n
   * items; `cursor` is where an earlier page ended; `timeoutMs` bounds each page.
   * @returns an iterable of items, with `first(n)`, `pages()`, `count()`, and `versioned()`: the same as `{ item, version }`.
   * Nothing is sent before it is asked for.
   * @throws InvalidInputError at once, or where the index does not project the hidden attributes; while
   * iterating UnavailableError, UnreadableValueError, the service's error, or the signal's reason. Costs a request per page or a few where many
   * tombstones lie between, read units for all that was looked at (filtered out or not), and for an index one
   * DescribeTable per repository.
   * @example
   * for await (const order of orders.query({ key: { customer: 'c1', placedAt: gte('2026-01-01') } })) print(order);
   * const latest = await orders.query({ key: { customer: 'c1' }, reverse: true }).first(20);
   * const { value: page } = await orders.query({ key: { customer: 'c1' }, limit: 20, cursor }).pages().next();
   */
  query(options: QueryOptions<T, Keys>): FoundItems<T> {
    return queryItems(this.#table, checkOptions(options, queryOptions));
  }

  /** Live items of the whole table, in no order. Reads, and costs, all of it. See {@link query}. */
  scan(options?: ScanOptions<T>): FoundItems<T> {
    return scanItems(this.#table, checkOptions(options, scanOptions));
  }

  /** What the storage keeps about one item, deleted or not: for operators. Throws and costs as {@link get}. */
  async inspect(identity: Pick<T, K>, options?: CallOptions): Promise<Inspection<T>> {
    return inspectItem(this.#table, identity, checkOptions(options, callOptions));
  }

  /**
   * Raises the fence of an item and reads it, in one step. From then on no older holder can write it, so
   * what was read stays true until you change it. Where there is no item its absence is fenced: no older
   * holder can create it.
   *
   * @returns `item` and `version`, undefined where there is none; or `fenced`, `token-reused`, `superseded`, `contention`.
   * @throws InvalidInputError before anything is sent, LeaseReleasedError, LeaseExpiredError (with `whileHeld`);
   * OutcomeUnknownError, UnavailableError, CorruptFenceError, UnfencedItemError, UnreadableValueError, the service's error;
   * the signal's reason, where nothing can have been applied.
   * Costs 1 request, and the write units of the whole item (1 WCU per KB, as DynamoDB counts any update); 2
   * requests where it adopts an item that was never fenced.
   * @example
   * const { item } = unwrap(await accounts.claim(lease, { id: 'a1' }));
   */
  async claim(fence: Fence, identity: Pick<T, K>, options?: WriteOptions): Promise<ClaimResult<T>> {
    const checked = checkOptions(options, writeOptions);
    const plan = claimPlan(this.#table, identity);
    this.#table.checkFence(fence, identity);
    return write(this.#table.wire, fence, plan, checked);
  }

  /**
   * Writes an item where users see none. It takes no condition: there is nothing that it could be about.
   *
   * @returns the item as it was stored; or `exists` with the one that is there, or a refusal by the fence.
   * @throws as {@link claim}; InvalidInputError also where a value cannot be stored, or the schema refuses it. Costs 1
   * request, 1 WCU per KB.
   */
  async create(fence: Fence, item: T, options?: WriteOptions): Promise<WriteResult<T>> {
    return this.#put(fence, item, checkOptions(options, conditionalWriteOptions), 'create');
  }

  /**
   * Writes a whole item, over whatever is there.
   *
   * @param options `when` and `ifVersion` make it depend on the item that is there.
   * @returns the item as it was stored; or `version`, `condition`, `not-found`, or a refusal by the fence.
   * @throws as {@link create}. Costs 1 request, 1 WCU per KB of the larger of both items.
   */
  async put(fence: Fence, item: T, options?: ConditionalWriteOptions<T>): Promise<WriteResult<T>> {
    return this.#put(fence, item, checkOptions(options, conditionalWriteOptions), 'put');
  }

  /**
   * Changes some attributes of an item, applied at most once however often it had to be sent: `add(-30)`
   * takes 30 off, not 60.
   *
   * @param changes the new values, or operators from `dynamodb-fenced/expressions`.
   * @param options `when`, `ifVersion`; `upsert` makes the item if there is none.
   * @returns the whole item after the change; or `not-found`, `version`, `condition`, or a refusal by the fence.
   * @throws as {@link create}. Costs 1 request, 1 WCU per KB of the whole item; `not-found` costs a read more,
   * because no error tells an absent item from a service that shows none.
   * @example
   * await accounts.update(lease, { id: 'a1' }, { balance: add(-30) }, { when: { balance: gte(30) } });
   */
  async update(
    fence: Fence,
    identity: Pick<T, K>,
    changes: Changes<Omit<T, K>>,
    options?: UpdateOptions<T>,
  ): Promise<WriteResult<T>> {
    const checked = checkOptions(options, updateOptions);
    const plan = updatePlan(this.#table, identity, changes, checked);
    this.#table.checkFence(fence, identity);
    return write(this.#table.wire, fence, plan, checked);
  }

  /**
   * Deletes an item for all readers, and keeps its fence: a tombstone of keys and stamp stays, without which
   * an older holder could bring the item back.
   *
   * @param options `when` and `ifVersion` make it depend on the item, which must exist then.
   * @returns `item`, what was removed: undefined if there was none, or if an earlier copy of this delete had
   * removed it; or `not-found`, `version`, `condition`, or a refusal by the fence.
   * @throws as {@link claim}. Costs 1 request, 1 WCU per KB of the item. The tombstone is stored for ever.
   */
  async delete(
    fence: Fence,
    identity: Pick<T, K>,
    options?: ConditionalWriteOptions<T>,
  ): Promise<DeleteResult<T>> {
    const checked = checkOptions(options, conditionalWriteOptions);
    const plan = deletePlan(this.#table, identity, checked);
    this.#table.checkFence(fence, identity);
    return write(this.#table.wire, fence, plan, checked);
  }

  /**
   * Reads, changes and writes an item with no gap for anybody: claims it, passes it to `change`, and puts
   * what that returns if the item still has the version that was read, or creates it if there was none.
   *
   * @param change gets the item, undefined where there is none, and returns the item to store. It is called once.
   * @param options `timeoutMs` bounds both requests together, not what `change` does in between. No `when` or `ifVersion`.
   * @returns as {@link put} and {@link create}. Costs 2 requests.
   * @throws what `change` throws; InvalidInputError where it returns no item, one with another key, or one that cannot be
   * stored: nothing is written but the claim in both cases. Before the claim InvalidInputError where the fence carries a
   * number for one request alone, or a condition is passed; and as {@link create}.
   */
  async modify(
    fence: Fence,
    identity: Pick<T, K>,
    change: (item: T | undefined) => T | Promise<T>,
    options?: WriteOptions,
  ): Promise<WriteResult<T>> {
    refuseNumbered(fence);
    const checked = checkOptions(options, conditionalWriteOptions);
    checkChange(change);
    refuseConditions(
      checked,
      'modify() takes no condition: it writes the item that it has claimed, or none',
      'Leave it out, and decide in the change. Where it throws, nothing is written but the claim.',
    );
    const elapsedMs = stopwatch(this.#table.wire.clock);
    const claimed = await this.claim(fence, identity, checked);
    if (!claimed.ok) return claimed;
    const usedMs = elapsedMs();
    const next = await change(claimed.item);
    checkReturned(next);
    const timeoutMs = Math.max(1, (checked.timeoutMs ?? DEFAULT_TIMEOUT_MS) - usedMs);
    const { version } = claimed;
    return version === undefined
      ? this.#put(fence, next, { ...checked, timeoutMs }, 'create', identity)
      : this.#put(fence, next, { ...checked, timeoutMs, ifVersion: version }, 'put', identity);
  }

  async #put(
    fence: Fence,
    item: T,
    options: ConditionalWriteOptions<T>,
    as: 'put' | 'create',
    claimed?: Pick<T, K>,
  ): Promise<WriteResult<T>> {
    const send = (valid: T, bounds = options) => {
      const plan = putPlan(this.#table, valid, { ...options, as });
      if (claimed !== undefined) checkSameKey(this.#table.keyOf(claimed), plan.key);
      this.#table.checkFence(fence, valid);
      return write(this.#table.wire, fence, plan, bounds);
    };
    const checked = validate(this.#schema, item);
    // No pause where none is needed: writes of one lease to one item keep the order of their calls.
    if (!(checked instanceof Promise)) return send(checked);
    return within(this.#table.wire.clock, options, async (deadline) => {
      const valid = await validatedBefore(deadline, checked);
      return send(valid, { ...options, timeoutMs: deadline.remainingMs });
    });
  }
}

function checkChange(change: unknown): void {
  if (typeof change === 'function') return;
  throw new InvalidInputError(
    'change',
    `${describe(change)} is no function`,
    'Pass one that is given the item and returns the item to store.',
  );
}

function checkReturned(item: unknown): void {
  if (typeof item === 'object' && item !== null) return;
  throw new InvalidInputError(
    'change',
    'it returned no item',
    'Return the item to store. To delete one, claim() it and call delete().',
  );
}

function checkSameKey(claimed: Item, returned: Item): void {
  if (keyText(claimed) === keyText(returned)) return;
  throw new InvalidInputError(
    'change',
    'it returned an item with another key',
    'Return the item under the key that was asked for.',
  );
}

function refuseNumbered(fence: Fence): void {
  if (sessionOf(fence).kind !== 'numbered') return;
  throw new InvalidInputError(
    'fence',
    'modify() is two writes, and a fence with a seq of your own carries one',
    'Pass a lease, or claim() and put() with a fence each.',
  );
}
