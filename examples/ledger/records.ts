/** Some money of somebody. It begins with nothing: what it has came from other accounts. */
export interface Account {
  id: string;
  /** As `EUR`. What an account has is counted in its smallest unit, so in cents. */
  currency: string;
  /** The balance never falls below it: 0 for most, less for who has credit or puts money in. Never changes. */
  limit: number;
  balance: number;
}

/** One transfer, as it was carried out. Written once, under its idempotency key, and never changed. */
export interface Entry {
  /** The idempotency key. */
  id: string;
  from: string;
  to: string;
  amount: number;
  currency: string;
  /** Which line of each account it is. */
  fromToken: number;
  toToken: number;
  /** By the clock of who carried it out: for people. The order of an account's lines does not depend on it. */
  atMs: number;
}

/** What a transfer did to one of its accounts. */
export interface Line {
  account: string;
  /**
   * The token of the lease under which it was done. No two transfers of an account have the same, and later
   * ones have larger ones, whatever the clocks say; so it is the sort key.
   */
  token: number;
  /** What came in; negative where it went out. */
  amount: number;
  /** Who had it before, or has it now. */
  counterpart: string;
  /** The idempotency key of the entry. */
  entry: string;
  atMs: number;
}
