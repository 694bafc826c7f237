import { add, gte } from '../../src/expressions.ts';
import { isOutcomeUnknown } from '../../src/fence/errors.ts';
import { fence } from '../../src/fence/fence.ts';
import type { Random } from '../../src/fence/random.ts';
import type { Lease } from '../../src/lease/lease.ts';
import { LeaseManager } from '../../src/lease/lease-manager.ts';
import { type DynamoTokenSource, dynamoTokenSource } from '../../src/lease/sources/dynamo.ts';
import { FencedRepository } from '../../src/repository/fenced-repository.ts';
import { contentOf } from '../simulation/item-row.ts';
import { tell } from '../simulation/told.ts';
import type { Call } from './call.ts';
import type { ItemVerb, LeaseVerb } from './event.ts';
import type { ProcessClock } from './process-clock.ts';
import type { Surroundings } from './surroundings.ts';

export interface Account {
  id: string;
  balance: number;
}

export const RESOURCE = 'r';
export const TTL_MS = 20_000;

type Resolve = () => Promise<unknown>;

/** One process: its own clock, lease manager and repositories. It works at one step of its lease and two calls on items at a time. */
export class Holder {
  readonly name: string;
  readonly clock: ProcessClock;
  lease: Lease | undefined;
  readonly #around: Surroundings;
  readonly #leases: LeaseManager<DynamoTokenSource>;
  readonly #calls = new Set<Call>();
  readonly #unknown: { readonly call: Call; readonly resolve: Resolve }[] = [];
  #leaseStep: string | undefined;
  /** What it will hear when it wakes; undefined while it runs. */
  #inbox: (() => void)[] | undefined;

  constructor(name: string, clock: ProcessClock, around: Surroundings) {
    this.name = name;
    this.clock = clock;
    this.#around = around;
    const random = numberedNonces();
    const client = around.client(this, () => `${name}'s ${this.#leaseStep ?? 'clean-up'}`);
    const source = dynamoTokenSource({ client, clock, random: numberedNonces(), tableName: 'leases' });
    this.#leases = new LeaseManager({ source, ttlMs: TTL_MS, holder: name, clock, random });
  }

  /** Something went wrong on the wire, or took long: whatever is under way may end undecided. */
  disturb(): void {
    for (const call of this.#calls) call.disturbed = true;
  }

  /** Hears of something, now or when it wakes. */
  hear(news: () => void): void {
    if (this.#inbox === undefined) news();
    else this.#inbox.push(news);
  }

  pass(ms: number): void {
    this.clock.pass(ms);
    this.disturb();
    if (this.#inbox === undefined) this.clock.runTimers();
  }

  jump(ms: number): void {
    this.#note(`'s clock is set by ${ms} ms`);
    this.clock.jump(ms);
    this.disturb();
  }

  pause(): void {
    if (this.#inbox !== undefined) return;
    this.#note(' stops');
    this.#inbox = [];
    this.disturb();
  }

  /** Answers come first: a process that thaws runs its timers late. */
  wake(): void {
    if (this.#inbox === undefined) return;
    this.#note(' wakes');
    for (const news of this.#inbox) news();
    this.#inbox = undefined;
    this.clock.runTimers();
  }

  /** Begins to do something to an item, unless it is stopped, or busy. */
  work(verb: ItemVerb, key: string): void {
    const { lease } = this;
    if (this.#inbox !== undefined) return;
    if (lease === undefined) {
      this.step('acquire', undefined);
      return;
    }
    if (this.#calls.size >= 2 || this.#trusts(verb, key)) return;
    const { token, holder } = lease;
    const name = `${this.name}'s ${verb} ${key} (token ${token})`;
    const call: Call = {
      ...{ name, verb, key, token, holder },
      ...{
        applied: 0,
        left: undefined,
        read: undefined,
        disturbed: false,
        duplicated: false,
        told: undefined,
      },
    };
    this.#note(` begins: ${verb} ${key}, with token ${token}`);
    this.#follow(call, this.#perform(call, lease));
  }

  /** Begins a step of its lease, unless it is stopped, or busy. `giver` is whom it takes over from. */
  step(verb: LeaseVerb, giver: Lease | undefined): void {
    if (this.#inbox !== undefined) return;
    if (verb === 'resolve') this.#resolveOldest();
    if (verb === 'resolve' || this.#leaseStep !== undefined) return;
    if (this.lease === undefined && (verb === 'renew' || verb === 'release')) return;
    if (giver === undefined && verb === 'take over') return;
    this.#leaseStep = verb;
    this.#note(` begins: ${verb}`);
    void this.#performStep(verb, this.lease, giver)
      .catch((error: unknown) => error)
      .then((result) => this.#stepEnded(verb, result));
  }

  // Who rewrites trusts that nobody wrote since its claim, and that includes itself.
  #trusts(verb: ItemVerb, key: string): boolean {
    return [...this.#calls].some((call) => call.key === key && [verb, call.verb].includes('rewrite'));
  }

  #perform(call: Call, lease: Lease): Promise<unknown> {
    // A repository for each call: what two writes of a lease must share is on the lease.
    const accounts = new FencedRepository<Account, 'id'>({
      client: this.#around.client(this, () => call),
      clock: this.clock,
      random: numberedNonces(),
      tableName: 'accounts',
      key: ['id'],
      resource: () => RESOURCE,
    });
    const key = { id: call.key };
    switch (call.verb) {
      case 'claim':
        return accounts.claim(lease, key);
      case 'create':
        return accounts.create(lease, { ...key, balance: 1 });
      case 'put':
        return accounts.put(lease, { ...key, balance: 5 });
      case 'add':
        return accounts.update(lease, key, { balance: add(1) });
      case 'subtract':
        return accounts.update(lease, key, { balance: add(-1) }, { when: { balance: gte(1) } });
      case 'upsert':
        return accounts.update(lease, key, { balance: add(1) }, { upsert: true });
      case 'delete':
        return accounts.delete(lease, key);
      case 'modify':
        return accounts.modify(lease, key, (item) => {
          call.read = 'by the library';
          return { ...key, balance: (item?.balance ?? 0) + 2 };
        });
      case 'rewrite':
        return accounts.claim(lease, key).then((claimed) => {
          if (!claimed.ok) return claimed;
          call.read = claimed.version ?? contentOf(undefined);
          return accounts.put(lease, { ...key, balance: (claimed.item?.balance ?? 0) + 2 });
        });
    }
  }

  #follow(call: Call, outcome: Promise<unknown>): void {
    this.#calls.add(call);
    void outcome
      .catch((error: unknown) => error)
      .then((result) => {
        this.#calls.delete(call);
        // A claim that is a part of something else is not resolved: it would be made again.
        const claiming = ['rewrite', 'modify'].includes(call.verb) && call.read === undefined;
        if (isOutcomeUnknown(result) && !claiming)
          this.#unknown.push({ call, resolve: () => result.resolve() });
        this.#around.promises.note(() => `${call.name}: ${tell(result)}`);
        this.#around.ended(call, result);
        // Who knows that it is fenced begins anew. What it has sent before is still on its way.
        if (call.told === 'fenced' && this.lease?.token === call.token) this.lease = undefined;
      });
  }

  #resolveOldest(): void {
    const oldest = this.#unknown.shift();
    if (oldest === undefined) return;
    this.#note(` resolves: ${oldest.call.name}`);
    this.#follow(oldest.call, oldest.resolve());
  }

  #note(what: string): void {
    this.#around.promises.note(() => `${this.name}${what}`);
  }

  #performStep(verb: LeaseVerb, lease: Lease | undefined, giver: Lease | undefined): Promise<unknown> {
    switch (verb) {
      case 'renew':
        return (lease as Lease).renew();
      case 'release':
        this.lease = undefined;
        return (lease as Lease).release().then(() => this.#around.leases.released((lease as Lease).holder));
      case 'take over':
        return this.#leases.takeOver(fence(RESOURCE, (giver as Lease).token));
      case 'raise':
        return this.#leases.raise(RESOURCE, { above: (lease?.token ?? 0) + 3 });
      default:
        return this.#leases.acquire(RESOURCE);
    }
  }

  #stepEnded(verb: LeaseVerb, result: unknown): void {
    this.#leaseStep = undefined;
    const name = `${this.name}'s ${verb}`;
    const { lease, reason, token, lastToken } = (result ?? {}) as Partial<Lease> & {
      readonly lease?: Lease;
      readonly reason?: string;
      readonly lastToken?: number;
    };
    const told = typeof result === 'object' ? tell(result) : 'done';
    this.#around.promises.happened(`${verb}: ${told}`);
    this.#around.promises.note(
      () => `${name}: ${told}${lease === undefined ? '' : `, token ${lease.token}`}`,
    );
    if (reason !== undefined && token !== undefined && lastToken !== undefined)
      this.#around.leases.refused(name, reason, token, lastToken);
    if (lease === undefined) return;
    this.lease = lease;
    this.#around.leases.granted(name, lease.token, lease.holder);
  }
}

function numberedNonces(): Random {
  let count = 0;
  return { unit: () => 0, nonce: () => String(count++) };
}
