import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { fence, transact, transactGet, unwrap } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { testLeases } from '../lease/lease-table.ts';
import { account, accountsIn } from '../support/accounts.ts';
import { bank, leasesOn } from './bank.ts';

describeEachEngine('what the steps of a transaction have in common', (engine) => {
  describe('is one client', () => {
    it('so steps of two are refused before anything is sent', async () => {
      const { accounts, others, sent } = await bank(engine);
      const [a, b] = leasesOn(42, ['a', 'b']);
      const steps = { near: accounts.plan.put(a, { id: 'a' }), far: others.plan.put(b, { id: 'b' }) };
      await expect(transact(steps)).rejects.toThrow(
        invalidInput('steps.far', /another client than that of steps\.near/),
      );
      const reads = [accounts.plan.get({ id: 'a' }), others.plan.get({ id: 'b' })];
      await expect(transactGet(reads)).rejects.toThrow(invalidInput('reads[1]', /another client/));
      expect(sent()).toEqual([]);
    });

    it('and a document client made of it is the same', async () => {
      const { accounts, client, tableName, stored } = await bank(engine);
      const documents = accountsIn({ client: DynamoDBDocumentClient.from(client), tableName });
      const [a, b] = leasesOn(42, ['a', 'b']);
      const steps = [
        documents.plan.put(a, { id: 'a', balance: 1 }),
        accounts.plan.put(b, { id: 'b', tags: new Set(['x']) }),
      ] as const;
      expect(await transact(steps)).toMatchObject({ ok: true });
      expect(await stored('b')).toMatchObject({ tags: { SS: ['x'] }, _fence: { N: '42' } });
      const [one] = await transactGet([documents.plan.get({ id: 'a' }), accounts.plan.get({ id: 'b' })]);
      expect(one?.item).toEqual({ id: 'a', balance: 1 });
    });
  });

  it('no number of a fence is used up where another one is', async () => {
    const { accounts, sent, stored } = await bank(engine);
    const numbered = (id: string) => fence(account(id), 1, { holder: 'h', seq: 1 });
    const [used, fresh] = [numbered('a'), numbered('b')];
    expect(await transact([accounts.plan.put(used, { id: 'a' })])).toMatchObject({ ok: true });
    sent();
    const both = [accounts.plan.put(fresh, { id: 'b' }), accounts.plan.put(used, { id: 'a' })];
    await expect(transact(both)).rejects.toThrow(invalidInput('fence', /request 1 of h was already used/));
    expect(sent()).toEqual([]);
    expect(await transact([accounts.plan.put(fresh, { id: 'b' })])).toMatchObject({ ok: true });
    expect(await stored('b')).toMatchObject({ _fenceHolder: { S: 'h' }, _fenceSeq: { N: '1' } });
  });

  it('none of their leases is released, written under or checked', async () => {
    const leases = await testLeases(engine);
    const accounts = accountsIn({ client: leases.client, tableName: leases.tableName });
    const manager = leases.process('p');
    const { lease } = unwrap(await manager.acquire(account('a')));
    const check = manager.check(lease);
    const put = accounts.plan.put(lease, { id: 'a' });
    const [b] = leasesOn(42, ['b']);
    await lease.release();
    leases.wire.forget();
    await expect(transact([put])).rejects.toMatchObject({ code: 'lease-released' });
    const checked = transact([accounts.plan.put(b, { id: 'b' }), check]);
    await expect(checked).rejects.toMatchObject({ code: 'lease-released' });
    expect(leases.wire.ops).toEqual([]);
  });
});
