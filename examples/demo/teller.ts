import type { FencingToken } from 'dynamodb-fenced';

/** Reads and writes one account, in one way or another. */
export interface Teller {
  readonly reading: 'get' | 'claim';
  read(): Promise<number>;
  write(balance: number): Promise<WriteAnswer>;
}

/** What the storage said to a write. */
export type WriteAnswer =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly reason: string;
      readonly lastToken?: FencingToken;
      readonly lastHolder?: string | undefined;
      readonly applied?: 'no' | 'unknown';
    };
