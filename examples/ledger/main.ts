// A transfer, asked for twice: npx tsx examples/ledger/main.ts
import { dynamoTokenSource, LeaseManager } from 'dynamodb-fenced';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
import { definitions } from './definitions.ts';
import { Ledger } from './ledger.ts';

// A DynamoDB in this process, so that this runs anywhere. In production: const client = new DynamoDBClient({}).
await using db = await startLocalDynamoDB();
const tableNames = { leases: 'leases', accounts: 'accounts', entries: 'entries', lines: 'lines' };
for (const name of ['leases', 'accounts', 'entries', 'lines'] as const) {
  await db.createTable({ tableName: tableNames[name], ...definitions[name] });
}
const client = db.client();
const source = dynamoTokenSource({ client, tableName: tableNames.leases });
const leases = new LeaseManager({ source, ttlMs: 10_000 });
const ledger = new Ledger({ client, tableNames, leases });

await ledger.open({ id: 'ann', currency: 'EUR', limit: -50_00 });
await ledger.open({ id: 'bob', currency: 'EUR' });

// The same call again, as after an answer that was lost: nothing moves twice.
for (let tries = 0; tries < 2; tries++) {
  const rent = await ledger.transfer('ann', 'bob', 40_00, 'rent-2026-03');
  console.log(rent.ok ? `rent paid, ${rent.replayed ? 'as before' : 'now'}` : rent.reason);
}
const more = await ledger.transfer('ann', 'bob', 40_00, 'rent-2026-04');
console.log(more.ok ? 'paid' : `not paid: ${more.reason}`);

for (const line of (await ledger.statement('ann')).items)
  console.log(`ann ${line.amount}, with ${line.counterpart}`);
const { ok, accounts, entries, lines } = await ledger.audit();
console.log(`audit of ${accounts} accounts, ${entries} entries, ${lines} lines: ${ok ? 'right' : 'WRONG'}`);
