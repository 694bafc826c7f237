// An order is paid, and its customer is told so: once, even where the relay dies on the way.

import type { DynamoDBClientLike, Lease } from 'dynamodb-fenced';
import { dynamoTokenSource, FencedRepository, LeaseManager, Outbox, transact, unwrap } from 'dynamodb-fenced';

export interface Order {
  id: string;
  status: 'open' | 'paid';
  email: string;
}

export interface Mail {
  to: string;
  subject: string;
}

/** Sends mail, and knows by the key what it has sent before: what a good provider offers. */
export interface MailProvider {
  send(mail: Mail, options: { idempotencyKey: string; signal: AbortSignal }): Promise<void>;
}

// #region tables
export function openShop(client: DynamoDBClientLike) {
  return {
    leases: new LeaseManager({ source: dynamoTokenSource({ client, tableName: 'leases' }), ttlMs: 10_000 }),
    orders: new FencedRepository<Order, 'id'>({
      client,
      tableName: 'orders',
      key: ['id'],
      resource: ({ id }) => `order/${id}`,
    }),
    outbox: new Outbox<Mail>({ client, tableName: 'outbox' }),
  };
}
// #endregion tables

export type Shop = ReturnType<typeof openShop>;

// #region pay
export async function pay({ leases, orders, outbox }: Shop, id: string, email: string) {
  await using lease = unwrap(await leases.acquire(`order/${id}`, { waitMs: 2_000 })).lease;
  return await transact({
    order: orders.plan.update(lease, { id }, { status: 'paid' }, { when: { status: 'open' } }),
    mail: outbox.plan(lease, { to: email, subject: `Order ${id} is paid` }),
    held: leases.check(lease),
  });
}
// #endregion pay

// #region relay
/** For a service: until it is told to end. A function that is called by a timer relays once, with `forMs`. */
export async function sendMail(
  { leases, outbox }: Shop,
  provider: MailProvider,
  options: { readonly signal: AbortSignal; readonly pollMs?: number },
) {
  while (!options.signal.aborted) {
    await outbox.relay(
      leases,
      ({ key, message }, { signal: ended }) => provider.send(message, { idempotencyKey: key, signal: ended }),
      { ...options, onError: (error, delivery) => console.error(delivery?.key, error) },
    );
  }
}
// #endregion relay

/** Opens an order, for the program that shows it. */
export async function openOrder({ leases, orders }: Shop, order: Order) {
  return leases.using(`order/${order.id}`, {}, (lease: Lease) => orders.create(lease, order));
}
