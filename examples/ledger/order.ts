/** What is asked for: some money of one account for another, once per key. */
export interface Order {
  readonly from: string;
  readonly to: string;
  /** In the smallest unit of their currency. */
  readonly amount: number;
  readonly idempotencyKey: string;
}

/** @throws a RangeError where no ledger could carry it out. */
export function checkOrder({ from, to, amount }: Order): void {
  if (!Number.isSafeInteger(amount)) {
    throw new RangeError(
      `amount: ${amount} is no safe integer. Count in the smallest unit of the currency: 12.50 is 1250.`,
    );
  }
  if (amount <= 0) {
    throw new RangeError(`amount: ${amount} moves nothing forward. Swap the accounts to send money back.`);
  }
  if (from === to) throw new RangeError(`to: ${to} is the account that the money comes from.`);
}

/** Whether two orders ask for the same, their keys aside. */
export function isSameOrder(one: Omit<Order, 'idempotencyKey'>, other: Omit<Order, 'idempotencyKey'>) {
  return one.from === other.from && one.to === other.to && one.amount === other.amount;
}
