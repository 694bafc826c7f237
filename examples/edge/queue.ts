// Charges from a queue. A message may come twice, at once too, and the function may be frozen in between.
import { add, type Clock, type FencedRepository, type LeaseManager, notExists } from 'dynamodb-fenced';
import { type LambdaContext, withLease } from 'dynamodb-fenced/lambda';

export interface Order {
  id: string;
  total: number;
  chargedBy?: string;
}

/** What a message says: that something of an order is to be paid. */
export interface Charge {
  readonly order: string;
  readonly amount: number;
}

export interface Message {
  readonly messageId: string;
  readonly body: string;
}

// #region charge
/** One message, under the lease of its order. Again, after it was done: nothing. */
export function charging(leases: LeaseManager, orders: FencedRepository<Order, 'id'>, clock?: Clock) {
  const resource = ({ body }: Message) => `order/${(JSON.parse(body) as Charge).order}`;
  return withLease<Message, void>(
    leases,
    { resource, ...(clock && { clock }) },
    async ({ messageId, body }, { lease, signal }) => {
      const { order, amount } = JSON.parse(body) as Charge;
      const changes = { total: add(amount), chargedBy: messageId };
      const options = { when: { chargedBy: notExists() }, signal };
      const result = await orders.update(lease, { id: order }, changes, options);
      const isDone = result.ok || (result.reason === 'condition' && result.item.chargedBy === messageId);
      // Thrown, and so delivered again.
      if (!isDone) throw new Error(`${order}: ${result.reason}`);
    },
  );
}
// #endregion charge

// #region batch
/** A batch, in order, with those that have to be delivered again. Set `ReportBatchItemFailures` on the event source. */
export function chargeAll(charge: ReturnType<typeof charging>) {
  return async ({ Records }: { readonly Records: readonly Message[] }, context: LambdaContext) => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const message of Records) {
      const { messageId: itemIdentifier } = message;
      await charge(message, context).catch(() => batchItemFailures.push({ itemIdentifier }));
    }
    return { batchItemFailures };
  };
}
// #endregion batch
