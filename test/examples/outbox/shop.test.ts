import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it, vi } from 'vitest';
import { type Mail, openOrder, openShop, pay, sendMail } from '../../../examples/outbox/shop.ts';
import { OutboxStack } from '../../../examples/outbox/tables.ts';
import { outboxTable, unwrap } from '../../../src/index.ts';
import { startLocalDynamoDB } from '../../../src/testing/index.ts';
import { createTableInput } from '../../../src/testing/table-definition.ts';
import { offlineApp } from '../../infra/offline-app.ts';
import { auditNames } from '../../support/wire-audit.ts';

auditNames({ fence: ['_relayFence'], holder: ['_relayHolder'] });

it('an order that is paid twice is told once, although the first delivery fails half way', async () => {
  await using db = await startLocalDynamoDB();
  await db.createTable({ tableName: 'leases', partitionKey: 'resource' });
  await db.createTable({ tableName: 'orders', partitionKey: 'id' });
  await db.createTable({ tableName: 'outbox', ...outboxTable });
  const client = db.client();
  const shop = openShop(client);
  unwrap(unwrap(await openOrder(shop, { id: 'o1', status: 'open', email: 'ann@example.com' })).value);
  const ended = new AbortController();
  const inbox = new Map<string, Mail>();
  let calls = 0;
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const relaying = sendMail(
    shop,
    {
      async send(mail, { idempotencyKey }) {
        calls++;
        inbox.set(idempotencyKey, mail);
        if (calls === 1) throw new Error('sent, and the answer was lost');
      },
    },
    { signal: ended.signal, pollMs: 1 },
  );
  expect(await pay(shop, 'o1', 'ann@example.com')).toMatchObject({ ok: true });
  expect(await pay(shop, 'o1', 'ann@example.com')).toMatchObject({ reason: 'condition', step: 'order' });
  const scan = new ScanCommand({ TableName: 'outbox', IndexName: 'unsent' });
  await expect.poll(async () => (await client.send(scan)).Items).toEqual([]);
  ended.abort();
  await relaying;
  expect(calls).toBe(2);
  expect([...inbox.values()]).toEqual([{ to: 'ann@example.com', subject: 'Order o1 is paid' }]);
  expect([...inbox.keys()]).toEqual([expect.stringMatching(/^order\/o1:\d+:1$/)]);
  expect(told).toHaveBeenCalledExactlyOnceWith([...inbox.keys()][0], expect.any(Error));
  told.mockRestore();
});

it('the stack makes the table that the outbox wants', () => {
  const template = Template.fromStack(new OutboxStack(offlineApp(), 'Stack'));
  const [made] = Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));
  const wanted = createTableInput({ tableName: 'outbox', ...outboxTable });
  const byName = (list: readonly object[]) =>
    [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect(made?.Properties.KeySchema).toEqual(wanted.KeySchema);
  expect(byName(made?.Properties.AttributeDefinitions)).toEqual(byName(wanted.AttributeDefinitions ?? []));
  expect(made?.Properties.GlobalSecondaryIndexes).toEqual(wanted.GlobalSecondaryIndexes);
  expect(made?.Properties.LocalSecondaryIndexes).toEqual(wanted.LocalSecondaryIndexes);
  expect(made?.Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'deleteAfterS', Enabled: true });
});
