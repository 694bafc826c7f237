import { expect, it } from 'vitest';
import { type Account, accountApi } from '../../../examples/edge/account-api.ts';
import { dynamoTokenSource, FencedRepository, LeaseManager } from '../../../src/index.ts';
import { sequencer } from '../../../src/sequencer/index.ts';
import { faults, manualClock, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { testTable } from '../../support/test-table.ts';

describeEachEngine('an account behind HTTP', (engine) => {
  async function bank() {
    const clock = manualClock();
    const table = await testTable(engine, { partitionKey: 'id' });
    const { tableName: leaseTable } = await testTable(engine, { partitionKey: 'resource' });
    const wire = faults(engine.running.handler, [], { clock });
    const client = engine.client({ requestHandler: wire });
    const source = dynamoTokenSource({ client, tableName: leaseTable, clock });
    const leases = new LeaseManager({ source, ttlMs: 1_000, clock });
    const accounts = new FencedRepository<Account, 'id'>({
      ...{ client, tableName: table.tableName, clock, key: ['id'] },
      resource: ({ id }) => `account/${id}`,
    });
    const seals = sequencer(new Uint8Array(32).fill(1), { clock });
    const fetch = accountApi({ accounts, leases, seals });
    await leases.using('account/a1', {}, (lease) => accounts.create(lease, { id: 'a1', note: 'first' }));
    const call = (method: string, path: string, headers: Record<string, string> = {}, note?: string) => {
      const body = note === undefined ? null : JSON.stringify({ note });
      return fetch(new Request(`https://x.test/accounts/${path}`, { method, headers, body }));
    };
    const tokenNow = async () => (await leases.inspect('account/a1'))?.token;
    const lease = async () => (await call('POST', 'a1/lease')).headers.get('Fencing-Token') ?? '';
    return { clock, wire, call, lease, tokenNow, stored: () => table.storedItems() };
  }

  it('a client gets the lease, and changes what it has looked at', async () => {
    const { call, lease } = await bank();
    const seen = await call('GET', 'a1');
    const tag = seen.headers.get('ETag') ?? '';
    const token = await lease();
    const headers = { 'Fencing-Token': token, 'If-Match': tag };
    const changed = await call('PATCH', 'a1', headers, 'second');
    expect([changed.status, await changed.json()]).toEqual([200, { id: 'a1', note: 'second' }]);
    expect(changed.headers.get('ETag')).not.toBe(tag);
    // What it has looked at is no more.
    const again = await call('PATCH', 'a1', headers, 'third');
    expect(again.status).toBe(412);
    expect(await again.json()).toMatchObject({ reason: 'version', etag: changed.headers.get('ETag') });
  });

  it('the others wait', async () => {
    const { call, lease } = await bank();
    await lease();
    const held = await call('POST', 'a1/lease');
    expect([held.status, held.headers.get('Retry-After')]).toEqual([423, '30']);
  });

  it('who is late is told both tokens, and writes nothing', async () => {
    const { call, lease, clock, stored, tokenNow } = await bank();
    const late = await lease();
    const presented = await tokenNow();
    await clock.advance(30_000);
    const next = await lease();
    await call('PATCH', 'a1', { 'Fencing-Token': next }, 'of the next');
    const before = await stored();
    const response = await call('PATCH', 'a1', { 'Fencing-Token': late }, 'late');
    expect(response.status).toBe(412);
    expect(await response.json()).toMatchObject({ reason: 'fenced', presented, current: await tokenNow() });
    expect(await stored()).toEqual(before);
  });

  it('an old fence is good as long as nobody newer has come', async () => {
    const { call, lease, clock } = await bank();
    const token = await lease();
    await clock.advance(60_000);
    expect((await call('PATCH', 'a1', { 'Fencing-Token': token }, 'late')).status).toBe(200);
  });

  it.each([
    ['no fence', 428, () => ({})],
    ['a plain one', 401, () => ({ 'Fencing-Token': 'account/a1:1000000000000000' })],
    ['a changed one', 401, (token: string) => ({ 'Fencing-Token': token.replace('v1.W', 'v1.X') })],
    ['no list of tags', 400, (token: string) => ({ 'Fencing-Token': token, 'If-Match': 'x' })],
  ] as const)('%s changes nothing', async (_, status, headers) => {
    const { call, lease, stored } = await bank();
    const given = headers(await lease());
    const before = await stored();
    expect((await call('PATCH', 'a1', given, 'second')).status).toBe(status);
    expect(await stored()).toEqual(before);
  });

  it('a write that was turned away may come back', async () => {
    const { call, lease, wire } = await bank();
    const token = await lease();
    wire.add({ on: { op: 'UpdateItem' }, do: throttle() });
    const response = await call('PATCH', 'a1', { 'Fencing-Token': token }, 'second');
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ reason: 'contention' });
    expect(wire.bites('throttle')).toBe(1);
  });

  it('what is not there is 404', async () => {
    const { call } = await bank();
    expect((await call('GET', 'a2')).status).toBe(404);
    expect((await call('GET', '')).status).toBe(404);
  });
});
