// The API at a glance, on a small bank.
import {
  add,
  append,
  dynamoTokenSource,
  FencedRepository,
  fence,
  formatFence,
  gte,
  LeaseManager,
  parseFence,
  remove,
  unwrap,
} from 'dynamodb-fenced';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';

interface Account {
  id: string;
  balance: number;
  entries?: string[];
  note?: string;
}

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const client = db.client();

// #region leases
const leases = new LeaseManager({
  source: dynamoTokenSource({ client, tableName: 'leases' }),
  ttlMs: 10_000,
  heartbeat: true, // default false: renew by hand, or not at all in a function that may be frozen
});
const acquired = await leases.acquire('account/a1', { waitMs: 2_000 });
if (!acquired.ok) throw new Error(`${acquired.holder} has it for ${acquired.retryAfterMs} ms more`);
const { lease } = acquired; // resource, token, holder, expiresAtMs, remainingMs(), signal, assertHeld()

await lease.renew();
await leases.using('account/a2', {}, async (other) => other.token); // acquire, work, release
await using both = unwrap(await leases.acquireAll(['account/a3', 'account/a4'], { waitMs: 2_000 }));
await leases.inspect('account/a1'); // for operators, as raise()
// #endregion leases

// #region items
const accounts = new FencedRepository<Account, 'id'>({
  client,
  tableName: 'accounts',
  key: ['id'], // or ['pk', 'sk'], or a function for single-table keys
  resource: ({ id }) => `account/${id}`,
});
const a1 = { id: 'a1' };

await accounts.create(lease, { id: 'a1', balance: 100 }); // only where there is none
await accounts.put(lease, { id: 'a1', balance: 100 }); // over whatever is there
await accounts.claim(lease, a1); // read, and keep older holders out
await accounts.modify(lease, a1, (account) => ({ ...a1, balance: (account?.balance ?? 0) + 10 }));
await accounts.update(lease, a1, { balance: add(-30), entries: append(['rent']), note: remove() });
await accounts.update(lease, a1, { balance: add(-30) }, { when: { balance: gte(30) } });
const read = await accounts.get(a1); // { item, version }, or undefined
await accounts.put(lease, { id: 'a1', balance: 0 }, { ifVersion: read?.version ?? '' });
for await (const account of accounts.scan({ filter: { balance: gte(1) } })) console.log(account.id);
await accounts.scan({ limit: 100 }).first(20); // limit is the size of a page, first() ends after 20 items
for await (const { item, version } of accounts.scan().versioned()) {
  await accounts.put(lease, { ...item, note: 'seen' }, { ifVersion: version });
}
await accounts.delete(lease, a1); // leaves a tombstone, which nobody sees
// #endregion items

// #region fences
const text = formatFence(lease); // 'account/a1:1796193069120', for a header or a message
const received = parseFence(text); // a bare fence: keeps older tokens out
const numbered = fence('account/a5', 42, { holder: 'importer', seq: 7 }); // one write; made anew after a crash it is the same one
await accounts.put(numbered, { id: 'a5', balance: 1 });
const moved = await leases.takeOver(received); // the lease moves here; its giver is fenced
// #endregion fences

console.log(read?.item, moved.ok, both.leases.length);
