/** The names of a lease row's attributes. */
export interface LeaseAttributes {
  /** S: the partition key; not used where a `key` function makes the key. Default `resource`. */
  readonly resource: string;
  /** N: the last token that was issued. Default `token`. */
  readonly token: string;
  /** S: who holds the lease. Default `holder`. */
  readonly holder: string;
  /** N: when the grant ends, in ms since the epoch. Default `expiresAtMs`. */
  readonly expiresAtMs: string;
  /** What the holder stored. Default `data`. */
  readonly data: string;
}

/** The names that are used where no others are given. What creates the table reads them too, so that the two agree on its key. */
export const defaultLeaseAttributes: LeaseAttributes = {
  resource: 'resource',
  token: 'token',
  holder: 'holder',
  expiresAtMs: 'expiresAtMs',
  data: 'data',
};
