import {
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { accounts, balance, put, startAccounts } from './accounts.ts';

const TableName = accounts.tableName;
const enable = new UpdateTimeToLiveCommand({
  TableName,
  TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
});
const describe = new DescribeTimeToLiveCommand({ TableName });

it('keeps the setting, until the table goes', async () => {
  await using db = await startAccounts();
  const client = db.client();
  expect((await client.send(enable)).TimeToLiveSpecification).toEqual({
    Enabled: true,
    AttributeName: 'expiresAt',
  });
  expect((await client.send(describe)).TimeToLiveDescription).toEqual({
    TimeToLiveStatus: 'ENABLED',
    AttributeName: 'expiresAt',
  });
  await expect(client.send(enable)).rejects.toMatchObject({ message: 'TimeToLive is already enabled' });
  await client.send(new DeleteTableCommand({ TableName }));
  await db.createTable(accounts);
  expect((await client.send(describe)).TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' });
});

it('never deletes: an expired item stays, as it may on AWS for days', async () => {
  await using db = await startAccounts();
  const client = db.client();
  await client.send(enable);
  await client.send(put('a', { balance: { N: '7' }, expiresAt: { N: '1' } }));
  expect(await balance(client, 'a')).toBe(7);
});
