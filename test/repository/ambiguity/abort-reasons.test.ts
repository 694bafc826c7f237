import { describe, expect, it } from 'vitest';
import { LeaseManager, unwrap } from '../../../src/index.ts';
import { dynamoTokenSource } from '../../../src/lease/sources/dynamo.ts';
import { pause } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { testTable } from '../../support/test-table.ts';
import { scene } from './scene.ts';
import { balance, live } from './stored.ts';
import { full, id, withdraw } from './withdraw.ts';

/** What a caller may abort with: errors of other calls, each of which would decide something if it were an answer to this one. */
const reasons: readonly [string, object][] = [
  ['no connection to another server', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['throttling of another call', { name: 'ThrottlingException' }],
  ['a transaction that held another item', { name: 'TransactionConflictException' }],
  ['a fault of another call', { name: 'ValidationException', $metadata: { httpStatusCode: 400 } }],
  [
    'the refusal of another item',
    {
      ...{ name: 'ConditionalCheckFailedException', $metadata: { httpStatusCode: 400 } },
      Item: { id: { S: 'z' }, _fence: { N: '99' }, _fenceHolder: { S: 'z' }, _fenceSeq: { N: '1' } },
    },
  ],
];

describeEachEngine('a caller who aborts', (engine) => {
  describe.each(reasons)('because of %s', (_, properties) => {
    const reason = Object.assign(new Error('elsewhere'), properties);

    it('does not know what becomes of a write on the wire, and its fence is as it was', async () => {
      const gate = pause();
      const rules = [{ on: { nth: 1 }, do: gate }];
      const { accounts, stored, faults } = await scene(engine, { with: full, rules });
      const lease = granted(account('a'), 42);
      const stop = new AbortController();
      const writing = withdraw(accounts, lease, { signal: stop.signal }).catch((error) => error);
      await gate.reached;
      stop.abort(reason);
      expect(await writing).toMatchObject({ code: 'outcome-unknown', applied: 'unknown' });
      gate.release();
      await faults.idle();
      expect(await stored()).toEqual(live(balance(90), lease, 1));
      expect(await withdraw(accounts, lease)).toMatchObject({ ok: true, item: { balance: 80 } });
    });

    it('is thrown the reason of a renewal on the wire, and nothing about it', async () => {
      const table = await testTable(engine, { partitionKey: 'resource' });
      const { client, tableName } = table;
      const leases = new LeaseManager({ source: dynamoTokenSource({ client, tableName }), ttlMs: 10_000 });
      const { lease } = unwrap(await leases.acquire('r'));
      const gate = pause();
      table.faults.add({ do: gate });
      const stop = new AbortController();
      const renewing = lease.renew({ signal: stop.signal }).catch((error) => error);
      await gate.reached;
      stop.abort(reason);
      expect(await renewing).toBe(reason);
      gate.release();
      await table.faults.idle();
      expect(await lease.renew()).toMatchObject({ ok: true });
    });

    it('is thrown the reason where nothing has left', async () => {
      const { tableName, wire } = await testTable(engine);
      const stop = new AbortController();
      const credentials = async () => {
        stop.abort(reason);
        return { accessKeyId: 'a', secretAccessKey: 'b' };
      };
      const client = engine.client({ requestHandler: wire, credentials });
      const writing = accountsIn({ client, tableName }).put(
        granted(account('a'), 42),
        { ...id, balance: 1 },
        { signal: stop.signal },
      );
      await expect(writing).rejects.toBe(reason);
      expect(wire.ops).toEqual([]);
    });
  });
});
