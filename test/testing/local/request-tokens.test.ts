import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startLocalDynamoDB } from '../../../src/testing/index.ts';
import { add, balance, gate, startAccounts, transact } from './accounts.ts';

const minute = 60_000;

it('remembers a token for 10 minutes after the transaction, by the clock that it is given', async () => {
  let now = 1_000;
  await using db = await startAccounts({ clock: { now: () => now } });
  const client = db.client();
  const send = () => client.send(transact([add('a', 1)], 'token'));
  await send();
  now += 10 * minute - 1;
  await send();
  expect(await balance(client, 'a')).toBe(1);
  // Replays do not prolong it.
  now += 1;
  await send();
  expect(await balance(client, 'a')).toBe(2);
  now += 10 * minute - 1;
  await send();
  expect(await balance(client, 'a')).toBe(2);
});

it('counts from the end of the transaction, not from its start', async () => {
  let now = 0;
  const { hold, reached, open } = gate();
  await using db = await startAccounts({ clock: { now: () => now }, beforeCommit: hold });
  const client = db.client();
  const first = client.send(transact([add('a', 1)], 'token'));
  await reached;
  now = 9 * minute;
  open();
  await first;
  now = 18 * minute;
  await client.send(transact([add('a', 1)], 'token'));
  expect(await balance(client, 'a')).toBe(1);
});

it('answers while the first is under way: in progress, or a mismatch', async () => {
  const { hold, reached, open } = gate();
  await using db = await startAccounts({ beforeCommit: hold });
  const client = db.client({ maxAttempts: 1 });
  const first = client.send(transact([add('a', 1)], 'token'));
  await reached;
  await expect(client.send(transact([add('a', 1)], 'token'))).rejects.toMatchObject({
    name: 'TransactionInProgressException',
  });
  await expect(client.send(transact([add('a', 2)], 'token'))).rejects.toMatchObject({
    name: 'IdempotentParameterMismatchException',
  });
  open();
  await first;
  await client.send(transact([add('a', 1)], 'token'));
  expect(await balance(client, 'a')).toBe(1);
});

it('takes two copies that arrive at once for one transaction', async () => {
  await using db = await startAccounts();
  const client = db.client({ maxAttempts: 1 });
  const copies = await Promise.allSettled(
    Array.from({ length: 20 }, () => client.send(transact([add('a', 1)], 'token'))),
  );
  expect(await balance(client, 'a')).toBe(1);
  for (const copy of copies) {
    if (copy.status === 'rejected') expect(copy.reason.name).toBe('TransactionInProgressException');
  }
});

it('tells what is asked from how it is written', async () => {
  await using db = await startAccounts();
  const client = db.client();
  const putOf = (Item: Record<string, { S: string }>) => ({ Put: { TableName: 'accounts', Item } });
  await client.send(transact([putOf({ id: { S: 'a' }, name: { S: 'ann' } })], 'token'));
  await client.send(transact([putOf({ name: { S: 'ann' }, id: { S: 'a' } })], 'token'));
  await expect(
    client.send(transact([putOf({ id: { S: 'a' }, name: { S: 'bob' } })], 'token')),
  ).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
});

it('does not forget a token in a restart', async () => {
  const path = await mkdtemp(join(tmpdir(), 'tokens-'));
  try {
    {
      await using db = await startAccounts({ path });
      await db.client().send(transact([add('a', 1)], 'token'));
    }
    await using db = await startLocalDynamoDB({ path });
    await db.client().send(transact([add('a', 1)], 'token'));
    expect(await balance(db.client(), 'a')).toBe(1);
    await expect(db.client().send(transact([add('b', 1)], 'token'))).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
  } finally {
    await rm(path, { recursive: true });
  }
});
