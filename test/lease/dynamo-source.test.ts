import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { type DynamoTokenSourceOptions, dynamoTokenSource, LeaseManager } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { noWire } from '../support/no-wire.ts';
import { testTable } from '../support/test-table.ts';
import { auditNames } from '../support/wire-audit.ts';
import { rowOf } from './lease-table.ts';

auditNames({ token: ['n'], holder: ['owner'] });

describeEachEngine('the DynamoDB source', (engine) => {
  it('takes a document client', async () => {
    const { client, tableName, stored } = await testTable(engine, { partitionKey: 'resource' });
    const source = dynamoTokenSource({ client: DynamoDBDocumentClient.from(client), tableName });
    const leases = new LeaseManager({ source, ttlMs: 10_000 });
    const { lease } = unwrap(await leases.acquire('r', { data: [1n, null] }));
    const data = { L: [{ N: '1' }, { NULL: true }] };
    expect(await stored({ resource: { S: 'r' } })).toEqual({ ...rowOf(lease), data });
    expect(await leases.acquire('r')).toMatchObject({ reason: 'held', holder: lease.holder });
    expect(await leases.inspect('r')).toMatchObject({ data: [1, null] });
  });

  it('lives among other items, under names of its own', async () => {
    const { client, tableName, stored } = await testTable(engine, {
      partitionKey: 'pk',
      sortKey: { name: 'sk', type: 'N' },
    });
    const source = dynamoTokenSource({
      client,
      tableName,
      names: { token: 'n', holder: 'owner', expiresAtMs: 'until', data: 'name' },
      key: (resource) => ({ pk: `lease#${resource}`, sk: 0 }),
    });
    const { lease } = unwrap(await new LeaseManager({ source, ttlMs: 10_000 }).acquire('r', { data: 'x' }));
    const key = { pk: { S: 'lease#r' }, sk: { N: '0' } };
    expect(await stored(key)).toEqual({
      ...key,
      n: { N: String(lease.token) },
      owner: { S: lease.holder },
      until: { N: String(lease.expiresAtMs) },
      name: { S: 'x' },
    });
    await lease.release();
    expect(await stored(key)).toEqual({ ...key, n: { N: String(lease.token) } });
  });

  it('leaves an item alone that is no lease row', async () => {
    const { client, tableName, stored } = await testTable(engine);
    const Item = { id: { S: 'a1' }, balance: { N: '100' } };
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
    const source = dynamoTokenSource({ client, tableName, names: { resource: 'id' } });
    const leases = new LeaseManager({ source, ttlMs: 10_000 });
    await expect(leases.acquire('a1')).rejects.toMatchObject({ code: 'corrupt-fence' });
    await expect(leases.raise('a1', { above: 1 })).rejects.toMatchObject({ code: 'corrupt-fence' });
    expect(await stored({ id: { S: 'a1' } })).toEqual(Item);
  });

  it('says what is missing where there is no table', async () => {
    const source = dynamoTokenSource({ client: engine.client(), tableName: 'no-such-table' });
    const leases = new LeaseManager({ source, ttlMs: 10_000 });
    const missing = expect.objectContaining({ name: 'ResourceNotFoundException' });
    await expect(leases.acquire('r', { waitMs: 1_000 })).rejects.toEqual(missing);
    await expect(leases.inspect('r')).rejects.toEqual(missing);
  });
});

describe('the options of a DynamoDB source', () => {
  const client = DynamoDBDocumentClient.prototype;

  it.each<[string, Partial<DynamoTokenSourceOptions>]>([
    ['client', { client: {} as never }],
    ['client', { client: client as never }],
    ['tableName', { tableName: '' }],
    ['names', { names: { token: '' } }],
    ['names', { names: { token: 'x', holder: 'x' } }],
    ['names', { names: { resource: 'token' } }],
  ])('%s is refused at once: %j', (path, options) => {
    expect(() => dynamoTokenSource({ client: noWire, tableName: 't', ...options })).toThrow(
      expect.objectContaining({ code: 'invalid-input', path }),
    );
  });

  it.each<[string, unknown]>([
    ['key', {}],
    ['key', undefined],
    ['key', { a: 'x', b: 'y', c: 'z' }],
    ['key.token', { token: 'x' }],
    ['key.pk', { pk: '' }],
    ['key.pk', { pk: true }],
  ])('%s that a key function gives is refused before anything is sent: %j', async (path, key) => {
    const source = dynamoTokenSource({ client: noWire, tableName: 't', key: () => key as never });
    const leases = new LeaseManager({ source, ttlMs: 10_000 });
    const acquiring = leases.acquire('r');
    await expect(acquiring).rejects.toMatchObject({ code: 'invalid-input', path });
  });
});
