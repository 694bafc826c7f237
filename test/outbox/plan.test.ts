import { expect, it } from 'vitest';
import { fence, isFencingError, type Lease, Outbox, transact, unwrap } from '../../src/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import type { Sent } from '../transaction/bank.ts';
import { readable } from '../transaction/readable.ts';
import { type Mail, postOffice, TTL_MS } from './post-office.ts';

describeEachEngine('a message', (engine) => {
  it('is written with what it tells of, in one request', async () => {
    const { outbox, accounts, process, wire, tableName, leaseTable } = await postOffice(engine);
    const leases = process('w');
    const lease = unwrap(await leases.acquire('account/a')).lease;
    wire.forget();
    const result = await transact({
      account: accounts.plan.put(lease, { id: 'a', balance: 1 }),
      mail: outbox.plan(lease, { text: 'paid' }),
      held: leases.check(lease),
    });
    expect(result.ok).toBe(true);
    expect(wire.ops).toEqual(['TransactWriteItems']);
    const [request] = wire.requests.map(({ input }) => input as unknown as Sent) as [Sent];
    const [, mail, held] = request.TransactItems.map(readable);
    const position = `${String(lease.token).padStart(16, '0')}:0000000000000001`;
    expect(mail).toEqual({
      kind: 'Put',
      TableName: tableName,
      shows: 'ALL_OLD',
      ConditionExpression: expect.stringContaining(
        'attribute_not_exists(resource) OR (attribute_exists(_fence) AND attribute_not_exists(_fenceVersion))',
      ),
      Item: {
        ...{ resource: { S: 'account/a' }, position: { S: position }, pending: { S: position } },
        ...{ token: { N: `${lease.token}` }, seq: { N: '1' }, queue: { S: 'unsent' } },
        message: { M: { text: { S: 'paid' } } },
        ...{ _fence: { N: `${lease.token}` }, _fenceHolder: { S: lease.holder }, _fenceSeq: { N: '1' } },
        _fenceVersion: { S: `${lease.token}.1.${lease.holder}` },
      },
    });
    expect(held).toMatchObject({ kind: 'ConditionCheck', TableName: leaseTable });
  });

  it('is not there where what it tells of was refused', async () => {
    const { outbox, accounts, process, storedItems } = await postOffice(engine);
    const lease = unwrap(await process('w').acquire('account/a')).lease;
    const result = await transact({
      account: accounts.plan.update(lease, { id: 'a' }, { balance: 1 }),
      mail: outbox.plan(lease, { text: 'paid' }),
    });
    expect(result).toMatchObject({ ok: false, step: 'account', reason: 'not-found' });
    expect(await storedItems()).toEqual([]);
  });

  it('of a holder that comes too late is refused by the check of its lease', async () => {
    const { outbox, process, storedItems, clock } = await postOffice(engine);
    const [old, newer] = [process('old'), process('new')];
    const late = unwrap(await old.acquire('account/a')).lease;
    await clock.advance(TTL_MS);
    unwrap(await newer.acquire('account/a'));
    const result = await transact({ mail: outbox.plan(late, { text: 'late' }), held: old.check(late) });
    expect(result).toMatchObject({ ok: false, reason: 'fenced', step: 'held' });
    expect(await storedItems()).toEqual([]);
  });

  it('of two outboxes of one table is never given the same key', async () => {
    const { outbox, process, client, tableName, storedItems } = await postOffice(engine);
    const other = new Outbox<Mail>({ client, tableName });
    const lease = unwrap(await process('w').acquire('account/a')).lease;
    unwrap(await transact([outbox.plan(lease, { text: '1' })]));
    unwrap(await transact([other.plan(lease, { text: '2' })]));
    expect((await storedItems()).map((item) => item.seq?.N).sort()).toEqual(['1', '2']);
  });

  it('needs a lease that is not over, and something that can be stored', async () => {
    const { outbox, process, wire } = await postOffice(engine);
    const lease = unwrap(await process('w').acquire('account/a')).lease;
    wire.forget();
    const bare = fence('account/a', 1) as Lease;
    expect(() => outbox.plan(bare, { text: 'a' })).toThrow('lease: the key of a message needs a token');
    const numbered = fence('account/a', 1, { holder: 'h', seq: 1 }) as Lease;
    expect(() => outbox.plan(numbered, { text: 'a' })).toThrow('this is no lease');
    expect(() => outbox.plan(lease, (() => {}) as unknown as Mail)).toThrow('message');
    expect(wire.ops).toEqual([]);
    await lease.release();
    expect(codeOf(() => outbox.plan(lease, { text: 'a' }))).toBe('lease-released');
  });

  it('and its relay are told what is wrong with their options', async () => {
    const { client, outbox, process } = await postOffice(engine);
    expect(() => new Outbox({ client, tableName: '' })).toThrow('tableName');
    expect(() => new Outbox({ client, tableName: 't', keepSentMs: 0 })).toThrow('keepSentMs');
    const leases = process('r');
    await expect(outbox.relay(leases, undefined as never)).rejects.toThrow('handler: it is no function');
    await expect(outbox.relay(leases, () => {}, { forMs: Number.NaN })).rejects.toThrow('forMs');
    await expect(outbox.relay(leases, () => {}, { pollMs: -1 })).rejects.toThrow('pollMs');
  });
});

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return isFencingError(error) ? error.code : undefined;
  }
}
