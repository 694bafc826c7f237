import { dynamoTokenSource, FencedRepository, LeaseManager, unwrap } from 'dynamodb-fenced';
import { type FaultRule, faults, startLocalDynamoDB } from 'dynamodb-fenced/testing';

interface Account {
  id: string;
  balance: number;
}

export const key = { id: 'a1' };

/** What the examples of this folder break: an account of 100, a lease of it, and the wire to both. */
export async function openTill(...rules: readonly FaultRule[]) {
  const db = await startLocalDynamoDB();
  await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
  await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
  const wire = faults(db.handler, []);
  const client = db.client({ requestHandler: wire });
  const accounts = new FencedRepository<Account, 'id'>({
    client,
    tableName: 'accounts',
    key: ['id'],
    resource: ({ id }) => `account/${id}`,
  });
  const source = dynamoTokenSource({ client, tableName: 'leases' });
  const leases = new LeaseManager({ source, ttlMs: 60_000 });
  const { lease } = unwrap(await leases.acquire('account/a1'));
  unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
  // What they count begins now.
  wire.add(...rules);
  return {
    ...{ accounts, lease, leases, wire, client },
    /** What is stored, whatever anybody was told. */
    balance: async () => (await accounts.get(key))?.item.balance,
    [Symbol.asyncDispose]: () => db.close(),
  };
}
