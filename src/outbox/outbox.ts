import { checkTableName, type WireOptions, wireOf, wireOptions } from '../dynamo/client.ts';
import type { Plan } from '../dynamo/step.ts';
import type { Clock } from '../fence/clock.ts';
import { checkDuration } from '../fence/duration.ts';
import { anything, checkOptions, type OptionChecks } from '../fence/options.ts';
import type { NotFound, NotMet, Written } from '../fence/result.ts';
import { within } from '../fence/within.ts';
import type { Lease } from '../lease/lease.ts';
import type { LeaseManager } from '../lease/lease-manager.ts';
import type { CanCheck, TokenSource } from '../lease/token-source.ts';
import { messagePosition } from './message-key.ts';
import { nextSeq } from './next-seq.ts';
import { type OutboxRow, type OutboxRows, outboxRows, UNSENT } from './outbox-table.ts';
import { Relay } from './relay.ts';
import { checkRelayOptions, type Handler, type Relayed, type RelayOptions } from './relay-options.ts';

/** What an `Outbox` is made of. */
export interface OutboxOptions extends WireOptions {
  /** The name or the ARN of the outbox table: see `outboxTable` for its keys and indexes. */
  readonly tableName: string;
  /** How long a sent message is kept, in ms: its `deleteAfterS` says when it may go. Default 7 days. */
  readonly keepSentMs?: number;
}

const outboxOptions: OptionChecks<OutboxOptions> = {
  ...wireOptions,
  tableName: anything,
  keepSentMs: checkDuration,
};

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Messages to what cannot be fenced: mail, payments, webhooks. They are written in the transaction that they tell of,
 * so there is one exactly if the other is, and a relay delivers them afterwards: at least once, in order for
 * each resource, with a key by which the receiver tells a repetition.
 *
 * Two fences stand in a message, under different names: that of the resource, by whose token it was written, and
 * that of the relay, by whose token it is marked as sent.
 *
 * **How messages are found.** One that is not sent is in two sparse indexes: a relay asks `unsent` which resources have
 * any, then reads `pending` of each, consistently. **What becomes of sent ones.** They leave both indexes and carry
 * `deleteAfterS`; nothing here deletes them. TTL may, on this attribute of this table alone: no key is given
 * twice, so the fence of a message that is gone guards nothing. All messages are in one partition of `unsent`, which
 * takes some 1,000 writes, so 500 messages, a second.
 *
 * @example
 * const outbox = new Outbox<Mail>({ client, tableName: 'outbox' });
 * await transact({
 *   order: orders.plan.update(lease, { id }, { status: 'paid' }),
 *   mail: outbox.plan(lease, { to: 'ann@example.com', subject: 'Paid' }),
 *   held: leases.check(lease),
 * });
 * await outbox.relay(leases, ({ key, message }) => send(message, { idempotencyKey: key }), { signal });
 */
export class Outbox<M> {
  readonly #rows: OutboxRows<M>;
  readonly #clock: Clock;
  readonly #keepSentMs: number;

  /** @throws InvalidInputError where an option cannot work. Sends nothing. */
  constructor(options: OutboxOptions) {
    const { keepSentMs = WEEK_MS, ...checked } = checkOptions(options, outboxOptions);
    this.#clock = wireOf(checked).clock;
    checkTableName(checked.tableName);
    this.#keepSentMs = keepSentMs;
    this.#rows = outboxRows(checked);
  }

  /**
   * A message as a step of a transaction, about the resource of the lease. Its idempotency key is
   * `resource:token:seq`, where `seq` counts the messages that were planned with this lease.
   *
   * Messages of one resource are delivered in the order of their keys. Those of transactions that ran at the same
   * time have none: await one before you plan the next. A message is a new item that no newer holder has
   * written, so it does not tell a late one: put the write that it is about beside it, or `leases.check(lease)`.
   *
   * @param lease the lease on the resource; a bare fence has no number of its own.
   * @param message anything that an item may hold.
   * @returns the step, for one `transact`. Costs no request; in the transaction 2 WCU per KB for the message and
   * as much for its place in `pending`, and 1 WCU for that in `unsent`.
   * @throws InvalidInputError where the message cannot be stored, or for a bare fence; LeaseReleasedError after release.
   */
  plan(
    lease: Lease,
    message: M,
  ): Plan<Written<OutboxRow<M>>, NotFound | NotMet<OutboxRow<M>, 'exists' | 'version' | 'condition'>> {
    const seq = nextSeq(lease);
    const { resource, token } = lease;
    const position = messagePosition({ token, seq });
    const row = { resource, position, token, seq, message, pending: position, queue: UNSENT };
    return this.#rows.written.plan.create(lease, row);
  }

  /**
   * Delivers messages until it is told to end, its time is over, or, with `untilEmpty`, none is left. At least once
   * each: after a crash between delivery and mark, the next relay delivers again, with the same key. In order
   * for each resource: one that fails holds those behind it up, and no other resource.
   *
   * Several relays may run. Each resource is sent under a lease on `outbox/<resource>`, and the mark is a transaction
   * with a check of that lease: a relay that was paused is refused as soon as a newer one has been let in.
   *
   * @param leases where the relay gets its leases: of DynamoDB, made with the same client as the outbox. They
   * are renewed between two messages; a handler that takes longer than a lease wants `heartbeat`.
   * @param handler delivers a message, and hands `key` to the receiver. It should stop when its `signal` aborts.
   * @param options `signal`; `forMs` (default 60,000); `pollMs` after a look in vain (default 1,000); `untilEmpty`; `onError`.
   * @returns how many were delivered, failed or refused. Being told to end is no error.
   * @throws what the handler throws, or a fault of the storage, unless `onError` is given; InvalidInputError.
   * Costs a query for each resource with messages and one more per look (0.5 RCU each); for each resource acquire, release
   * and a consistent read of its messages; and a transaction for each message: 2 WCU per KB of it, as much for leaving
   * `pending`, 1 for `unsent`, 2 for the check.
   * @example
   * while (!signal.aborted) {
   *   await outbox.relay(leases, ({ key, message }) => post(message, key), { signal, onError: console.error });
   * }
   */
  async relay<S extends TokenSource & CanCheck>(
    leases: LeaseManager<S>,
    handler: Handler<M>,
    options?: RelayOptions<M>,
  ): Promise<Relayed> {
    const { forMs, pollMs, signal, onError, untilEmpty } = checkRelayOptions(handler, options);
    const bounds = { timeoutMs: forMs, ...(signal === undefined ? {} : { signal }) };
    return within(this.#clock, bounds, (deadline) =>
      new Relay<M>({
        ...{ rows: this.#rows, handler, clock: this.#clock, keepSentMs: this.#keepSentMs, pollMs },
        signal: deadline.signal,
        ...{ onError, untilEmpty },
        using: (resource, work) => leases.using(resource, { signal: deadline.signal }, work),
        check: (lease) => leases.check(lease),
      }).run(),
    );
  }
}
