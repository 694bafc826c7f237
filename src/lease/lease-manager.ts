import type { LeaseCheck } from '../dynamo/lease-check.ts';
import type { CallOptions } from '../fence/call-options.ts';
import { systemClock } from '../fence/clock.ts';
import { checkResource, type Fence } from '../fence/fence.ts';
import { callOptions, checkOptions } from '../fence/options.ts';
import { systemRandom } from '../fence/random.ts';
import { type FencingToken, fencingToken } from '../fence/token.ts';
import { within } from '../fence/within.ts';
import { checkAbility } from './ability.ts';
import { acquireAll } from './acquire-all.ts';
import { Acquisition } from './acquisition.ts';
import { checkOf } from './check-of.ts';
import { giveBack } from './give-back.ts';
import { LastSeen } from './last-seen.ts';
import type { Lease } from './lease.ts';
import { contextFor, type LeaseContext } from './lease-context.ts';
import {
  type AcquireOptions,
  checkAbove,
  checkHolderName,
  checkSource,
  checkTtl,
  checkWork,
  type GrantOptions,
  heartbeatOf,
  type LeaseManagerOptions,
  type RaiseOptions,
} from './lease-options.ts';
import type { AcquireAllResult, AcquireResult, TakeOverResult, UsingResult } from './lease-result.ts';
import { acquireOptions, grantOptions, managerOptions, raiseOptions } from './option-checks.ts';
import { raise } from './raise.ts';
import { takeOver } from './take-over.ts';
import type {
  CanCheck,
  CanInspect,
  CanRaise,
  CanTakeOver,
  LeaseRecord,
  TokenSource,
} from './token-source.ts';

/**
 * Grants leases: for a limited time nobody else is granted the same resource, and every grant carries a
 * larger fencing token than all before it.
 *
 * A lease alone protects nothing, because a holder may be stopped and go on when it is over. Pass it to every
 * write, so that the storage can refuse what comes late. Leases are not re-entrant: who holds one and acquires
 * it again meets itself as a holder.
 *
 * @example
 * const leases = new LeaseManager({ source: dynamoTokenSource({ client, tableName: 'leases' }), ttlMs: 10_000 });
 * const result = await leases.using('account/a1', { waitMs: 2_000 }, (lease) => accounts.put(lease, account));
 */
export class LeaseManager<S extends TokenSource = TokenSource> {
  readonly #context: LeaseContext<S>;

  /**
   * @param options `source` and `ttlMs` (in ms); `holder`, `heartbeat`, `clock`, `random` have defaults.
   * @throws InvalidInputError where an option cannot work.
   */
  constructor(options: LeaseManagerOptions<S>) {
    const { source, holder, heartbeat, ...checked } = checkOptions(options, managerOptions);
    const ttlMs = checkTtl(checked.ttlMs);
    const heartbeatMs = heartbeatOf(heartbeat);
    heartbeatMs?.(ttlMs);
    this.#context = {
      source: checkSource(source),
      ttlMs,
      heartbeatMs,
      holderName: checkHolderName(holder),
      clock: checked.clock ?? systemClock,
      random: checked.random ?? systemRandom,
      lastSeen: new LastSeen(),
    };
  }

  /**
   * Acquires a lease. Where somebody holds it, it is asked for again after random pauses of at most 1 s, until
   * `waitMs` are over: full jitter, so that waiters do not come in step. First come is not first served. A source that can tell of
   * a release (`waitForRelease`) wakes the waiter instead, and is asked again only then and when the grant would have ended.
   *
   * @param resource what nobody else shall work on meanwhile: 1 to 1,024 bytes, as `account/a1`.
   * @param options `waitMs` (default 0: one try), `signal`, `data` (stored beside the holder), `above` (default 0), `ttlMs`
   * (default the manager's), `heartbeat: false` (default the manager's), `timeoutMs` for each request (default 10,000).
   * @returns `{ ok: true, lease }` with at least half of its ttl left, or `held`. One request (1 WCU) per poll;
   * a second one where the row is ahead of the clock, or the engine does not show what refused.
   * @throws the signal's reason; UnavailableError or OutcomeUnknownError where no answer came: what may have been granted
   * is then released in the background, and `resolve()` asks again; CorruptFenceError; TokenExhaustedError; InvalidInputError; what the
   * source will never accept, as its own error.
   * @example
   * await using lease = unwrap(await leases.acquire('account/a1', { waitMs: 2_000 })).lease;
   */
  async acquire(resource: string, options?: AcquireOptions): Promise<AcquireResult> {
    const checked = checkOptions(options, acquireOptions);
    const context = contextFor(this.#context, checked);
    const ttlMs = checked.ttlMs ?? context.ttlMs;
    context.heartbeatMs?.(ttlMs);
    return new Acquisition(context, {
      resource: checkResource(resource),
      ttlMs,
      above: checkAbove(checked.above),
      data: checked.data,
      waitMs: checked.waitMs ?? 0,
      call: checked,
    }).run();
  }

  /**
   * Acquires a lease, does some work with it, and releases it, whatever comes of the work.
   *
   * @param resource as for {@link LeaseManager.acquire}.
   * @param options as for {@link LeaseManager.acquire}.
   * @param work is given the lease, and should stop when `lease.signal` aborts.
   * @returns `{ ok: true, value }` with what the work returned, or `held`: then it was not begun. A release that
   * fails changes neither: the lease ends by itself. It is waited for no longer than `timeoutMs`, and no longer than until the
   * signal aborts. Two requests, and those of the work.
   * @throws what the work throws; what acquire throws; InvalidInputError where the work is no function, before anything is sent.
   * @example
   * const result = await leases.using('account/a1', { waitMs: 2_000 }, async (lease) => {
   *   return accounts.update(lease, { id: 'a1' }, { balance: add(-30) });
   * });
   */
  async using<T>(
    resource: string,
    options: AcquireOptions,
    work: (lease: Lease) => Promise<T> | T,
  ): Promise<UsingResult<T>> {
    checkWork(work);
    const checked = checkOptions(options, acquireOptions);
    const acquired = await this.acquire(resource, checked);
    if (!acquired.ok) return acquired;
    try {
      return { ok: true, value: await work(acquired.lease) };
    } finally {
      // What has become of the work counts, also where the signal says to wait no longer.
      await giveBack([acquired.lease], checked).catch(() => undefined);
    }
  }

  /**
   * Acquires several leases, or none. Whoever else uses this cannot wait for you while you wait for them: the
   * leases are taken in one order everywhere.
   *
   * @param resources at least one name, each once.
   * @param options as for {@link LeaseManager.acquire}; `waitMs` is for all of them together.
   * @returns `{ ok: true, leases }` in the order of the arguments, disposable as a whole, `timeoutMs` for each release; or the `held` of the first one that somebody
   * else has, after releasing those before it. One request per lease, one per poll, and one per release.
   * @throws what acquire throws, after releasing what it got; in the background where the signal aborts.
   * @example
   * await using both = unwrap(await leases.acquireAll(['account/a1', 'account/a2'], { waitMs: 2_000 }));
   * const [from, to] = both.leases;
   */
  async acquireAll(resources: readonly string[], options?: AcquireOptions): Promise<AcquireAllResult> {
    const checked = checkOptions(options, acquireOptions);
    const { clock, ttlMs } = this.#context;
    const acquire = this.acquire.bind(this);
    return acquireAll(clock, acquire, resources, { ...checked, ttlMs: checked.ttlMs ?? ttlMs });
  }

  /**
   * Takes a running lease over from its holder, who passed its token on: how a lease moves to another process.
   * The giver is fenced from then on.
   *
   * @param fence the giver's: `fence(resource, token)` of what it sent, or its lease in the same process.
   * @param options `data`, `above`, `ttlMs`, `heartbeat`, `timeoutMs` (default 10,000, for the whole call), `signal`.
   * @returns `{ ok: true, lease }` with a larger token; `lost` where that grant is over; `fenced` where a newer token was issued.
   * One request (1 WCU).
   * @throws the signal's reason: what may have been granted is then released in the background. UnavailableError;
   * OutcomeUnknownError where it may have been granted: it is not released then, because `resolve()` asks for it. LeaseReleasedError
   * where the lease was released in this process; CorruptFenceError; TokenExhaustedError; InvalidInputError; what the source will never accept, as its own error.
   * @example
   * const taken = await leases.takeOver(parseFence(message.fence));
   */
  async takeOver(
    this: LeaseManager<S & CanTakeOver>,
    fence: Fence,
    options?: GrantOptions,
  ): Promise<TakeOverResult> {
    checkAbility(this.#context.source, 'takeOver');
    const checked = checkOptions(options, grantOptions);
    return takeOver(contextFor(this.#context, checked), fence, checked);
  }

  /**
   * Shows what is stored of a resource, for operators. By the time that you look at it somebody else may hold
   * the lease: decide nothing on it.
   *
   * @param resource its name.
   * @param options `timeoutMs` (default 10,000), `signal`.
   * @returns the row, or undefined where the resource was never leased. One consistent read (1 RCU).
   * @throws the signal's reason; UnavailableError where it cannot be read; CorruptFenceError or TokenExhaustedError where the row
   * is damaged; UnreadableValueError where its data has a type that this version does not know; InvalidInputError; what the source will never accept, as its own error.
   */
  async inspect(
    this: LeaseManager<S & CanInspect>,
    resource: string,
    options?: CallOptions,
  ): Promise<LeaseRecord | undefined> {
    checkAbility(this.#context.source, 'inspect');
    const checked = checkOptions(options, callOptions);
    checked.signal?.throwIfAborted();
    const { clock, source } = this.#context;
    return within(clock, checked, (deadline) => source.inspect(checkResource(resource), deadline));
  }

  /**
   * Raises the counter of a resource and ends whatever grant there is, for operators: after a lease table was
   * restored from a backup, before anybody works with it again. The items still remember larger tokens.
   *
   * @param resource its name.
   * @param options `above`: the largest token that was ever issued, as far as you know; `timeoutMs` (default 10,000), `signal`.
   * @returns a token that every later one is larger than. One request (1 WCU), more while others move the counter.
   * @throws the signal's reason; UnavailableError; OutcomeUnknownError; CorruptFenceError; TokenExhaustedError; InvalidInputError; what
   * the source will never accept, as its own error.
   */
  async raise(
    this: LeaseManager<S & CanRaise>,
    resource: string,
    options: RaiseOptions,
  ): Promise<FencingToken> {
    checkAbility(this.#context.source, 'raise');
    const { above: given, ...bounds } = checkOptions(options, raiseOptions);
    const above = checkAbove(fencingToken(given, 'above'));
    return raise(this.#context, { resource: checkResource(resource), above }, bounds);
  }

  /**
   * Makes a lease a step of a transaction: what the transaction writes is stored only if the lease still stands
   * at that moment. It refuses as soon as a newer token is *issued*, not only when it has written. Only for
   * leases in DynamoDB; anything else does not compile.
   *
   * @param lease a lease of this manager, or of another one whose source keeps it in the same row; a bare fence has no grant
   * that could stand.
   * @returns the step, for `transact`. Costs no request, and 2 WCU in the transaction.
   * @throws InvalidInputError for a bare fence, and for a lease that is kept elsewhere; LeaseReleasedError after release.
   */
  check(this: LeaseManager<S & CanCheck>, lease: Lease): LeaseCheck {
    checkAbility(this.#context.source, 'check');
    return checkOf(this.#context.source, lease);
  }
}
