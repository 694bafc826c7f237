import { type Clock, type DynamoDBClientLike, FencedRepository } from 'dynamodb-fenced';
import type { definitions } from './definitions.ts';
import type { Account, Entry, Line } from './records.ts';

/** What each table is called. */
export type TableNames = { readonly [Name in keyof typeof definitions]: string };

/** What guards an account and its lines. */
export const accountResource = (account: string) => `account/${account}`;

/** What guards an entry: itself, because the two accounts of a key that is used again may be others. */
export const entryResource = (entry: string) => `entry/${entry}`;

/** What the repositories are made of. */
export interface TablesOptions {
  readonly client: DynamoDBClientLike;
  readonly tableNames: TableNames;
  readonly clock?: Clock;
}

/** The repositories. All are made with one client, because their writes meet in one transaction. */
export function openTables({ client, tableNames, clock }: TablesOptions) {
  const shared = { client, ...(clock === undefined ? {} : { clock }) };
  return {
    accounts: new FencedRepository<Account, 'id'>({
      ...shared,
      tableName: tableNames.accounts,
      key: ['id'],
      resource: ({ id }) => accountResource(id),
    }),
    entries: new FencedRepository<Entry, 'id'>({
      ...shared,
      tableName: tableNames.entries,
      key: ['id'],
      resource: ({ id }) => entryResource(id),
    }),
    lines: new FencedRepository<Line, 'account' | 'token'>({
      ...shared,
      tableName: tableNames.lines,
      key: ['account', 'token'],
      resource: ({ account }) => accountResource(account),
    }),
  };
}

export type Tables = ReturnType<typeof openTables>;
