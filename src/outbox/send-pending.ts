import { remove } from '../dynamo/change-operators.ts';
import { exists } from '../dynamo/condition-operators.ts';
import type { LeaseCheck } from '../dynamo/lease-check.ts';
import { abortable } from '../fence/abortable.ts';
import type { Clock } from '../fence/clock.ts';
import type { Lease } from '../lease/lease.ts';
import { linkedSignal } from '../lease/linked-signal.ts';
import { transact } from '../transaction/transact.ts';
import { messageKey } from './message-key.ts';
import type { OutboxRow, OutboxRows } from './outbox-table.ts';
import type { Delivery, Handler } from './relay-options.ts';

/** What sending needs. */
export interface Sending<M> {
  readonly rows: OutboxRows<M>;
  readonly handler: Handler<M>;
  readonly clock: Clock;
  readonly keepSentMs: number;
  /** Aborts when the relay shall end, or its time is over. */
  readonly signal: AbortSignal;
  check(lease: Lease): LeaseCheck;
}

/** How one resource went: everything was sent, or why the rest was left for later. */
export type Sent<M> = 'all' | 'refused' | 'ended' | HandlerFailed<M>;

/** What the handler threw. */
export interface HandlerFailed<M> {
  readonly failed: unknown;
  readonly delivery: Delivery<M>;
}

/**
 * Sends what is pending of one resource, in order, under the lease of its relay. The messages are read after
 * the lease was granted, consistently, and a mark counts only while no newer lease was issued: so whatever an
 * older relay has marked is not seen here, and what is seen here it can mark no more.
 */
export async function sendPending<M>(
  relay: Sending<M>,
  resource: string,
  lease: Lease,
  delivered: () => void,
): Promise<Sent<M>> {
  const halfMs = lease.remainingMs() / 2;
  using linked = linkedSignal([relay.signal, lease.signal]);
  const { signal } = linked;
  const key = { resource };
  for await (const row of relay.rows.written.query({ index: 'pending', key, consistent: true, signal })) {
    if (lease.remainingMs() < halfMs && !(await lease.renew({ signal: relay.signal })).ok) return 'refused';
    if (signal.aborted) return 'ended';
    const { token, seq, message } = row;
    const delivery: Delivery<M> = { resource, token, seq, message, key: messageKey(row) };
    try {
      await abortable(Promise.resolve(relay.handler(delivery, { signal })), signal);
    } catch (error) {
      if (signal.aborted) return 'ended';
      return { failed: error, delivery };
    }
    if (!(await mark(relay, row, lease))) return 'refused';
    delivered();
  }
  return 'all';
}

/** Marks a message as sent, even where the relay is told to end meanwhile: it was delivered. */
async function mark<M>(relay: Sending<M>, row: OutboxRow<M>, lease: Lease): Promise<boolean> {
  const { resource, position } = row;
  const sentAtMs = relay.clock.now();
  const sent = { sentAtMs, deleteAfterS: Math.ceil((sentAtMs + relay.keepSentMs) / 1_000) };
  const marked = await transact({
    message: relay.rows.relayed.plan.update(
      lease,
      { resource, position },
      { ...sent, pending: remove(), queue: remove() },
      { when: { pending: exists() } },
    ),
    lease: relay.check(lease),
  });
  return marked.ok;
}
