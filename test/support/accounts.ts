import { type DynamoDBClientLike, FencedRepository, type FencedRepositoryOptions } from '../../src/index.ts';

/** An item with something of everything. */
export interface Account {
  id: string;
  balance?: number;
  note?: string;
  status?: 'open' | 'closed';
  entries?: (string | number)[];
  tags?: Set<string>;
  data?: unknown;
}

export type Accounts = FencedRepository<Account, 'id'>;

/** The resource that guards an account. */
export const account = (id: string) => `account/${id}`;

/** The accounts of a table whose partition key is `id`. */
export function accountsIn(
  { client, tableName }: { readonly client: DynamoDBClientLike; readonly tableName: string },
  options: Partial<FencedRepositoryOptions<Account, 'id'>> = {},
): Accounts {
  return new FencedRepository({
    client,
    tableName,
    key: ['id'],
    resource: ({ id }) => account(id),
    ...options,
  });
}
