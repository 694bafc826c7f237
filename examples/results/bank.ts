import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type Clock, dynamoTokenSource, FencedRepository, LeaseManager } from 'dynamodb-fenced';
import { type FaultyHandler, faults, startLocalDynamoDB } from 'dynamodb-fenced/testing';

export interface Account {
  id: string;
  balance: number;
  openedAt?: string;
}

/** What the examples of this folder are played on: accounts and leases, on a wire that can be broken. */
export async function openBank(options: { readonly clock?: Clock } = {}) {
  const db = await startLocalDynamoDB();
  await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
  await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
  const wire: FaultyHandler = faults(db.handler, []);
  const client = db.client({ requestHandler: wire, maxAttempts: 2 });
  const settings = {
    client,
    tableName: 'accounts',
    key: ['id'] as const,
    resource: ({ id }: Pick<Account, 'id'>) => `account/${id}`,
  };
  return {
    leases: new LeaseManager({
      source: dynamoTokenSource({ client, tableName: 'leases', ...options }),
      ttlMs: 10_000,
      ...options,
    }),
    accounts: new FencedRepository<Account, 'id'>(settings),
    strictAccounts: new FencedRepository<Account, 'id'>({ ...settings, unfenced: 'refuse' }),
    settings,
    wire,
    /** Writes around the fence, as a console or an import would. */
    async writeAround(Item: Record<string, AttributeValue>) {
      await client.send(new PutItemCommand({ TableName: 'accounts', Item }));
    },
    [Symbol.asyncDispose]: () => db.close(),
  };
}

export type Bank = Awaited<ReturnType<typeof openBank>>;
