import { type TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { fence } from '../../src/fence/fence.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import {
  type DynamoTokenSource,
  dynamoTokenSource,
  type Lease,
  type LeaseCheck,
  LeaseManager,
  memoryTokenSource,
  type TokenSource,
} from '../../src/index.ts';
import { describeEachEngine, type EngineUnderTest } from '../engines/describe-each-engine.ts';
import { freeRow, TTL_MS, testLeases } from './lease-table.ts';

/** Sends a check as the only step of a transaction; undefined where it passes. */
async function verdictOf(
  engine: EngineUnderTest,
  { conditionCheck, explain }: LeaseCheck,
  row: object | undefined,
) {
  const command = new TransactWriteItemsCommand({ TransactItems: [{ ConditionCheck: conditionCheck }] });
  const error = await engine
    .client()
    .send(command)
    .then(
      () => undefined,
      (refusal: TransactionCanceledException) => refusal,
    );
  if (error === undefined) return undefined;
  const [reason] = error.CancellationReasons ?? [];
  expect(reason?.Code).toBe('ConditionalCheckFailed');
  expect(reason?.Item).toEqual(engine.returnsItems ? row : undefined);
  return explain(row as LeaseCheck['conditionCheck']['Key']);
}

describeEachEngine('a lease as a step of a transaction', (engine) => {
  it('passes while it stands, also when it has been renewed or is over without anybody newer', async () => {
    const { process, clock, wire } = await testLeases(engine);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r', { data: 'x' }));
    wire.forget();
    const check = a.check(lease);
    expect(check.fence).toBe(lease);
    expect(wire.ops).toEqual([]);
    expect(await verdictOf(engine, check, undefined)).toBeUndefined();
    unwrap(await lease.renew());
    await clock.advance(TTL_MS);
    expect(await verdictOf(engine, check, undefined)).toBeUndefined();
  });

  it('says fenced as soon as a newer token was issued, not only when it has written', async () => {
    const { process, clock, stored } = await testLeases(engine);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    await clock.advance(TTL_MS);
    const newer = unwrap(await process('b').acquire('r')).lease;
    expect(await verdictOf(engine, a.check(lease), await stored())).toEqual({
      is: 'fenced',
      seen: { lastToken: newer.token, lastHolder: newer.holder },
    });
  });

  it('says lost where it was released, or its row is gone', async () => {
    const { process, plant, stored } = await testLeases(engine);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    const check = a.check(lease);
    await plant(freeRow('r', lease.token));
    expect(await verdictOf(engine, check, await stored())).toEqual({ is: 'lost' });
    expect(check.explain(undefined)).toEqual({ is: 'lost' });
  });

  it('says when the row that is shown would have passed, and when it cannot be compared', async () => {
    const { process, stored } = await testLeases(engine);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    const check = a.check(lease);
    expect(check.explain(await stored())).toEqual({ is: 'unexplained' });
    expect(() => check.explain({ resource: { S: 'r' }, token: { S: '9' } })).toThrow(
      expect.objectContaining({ code: 'corrupt-fence' }),
    );
  });

  it('is none for a bare fence, nor for a released lease', async () => {
    const { process } = await testLeases(engine);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r'));
    const bare = fence('r', lease.token) as Lease;
    expect(() => a.check(bare)).toThrow(expect.objectContaining({ code: 'invalid-input', path: 'lease' }));
    await lease.release();
    expect(() => a.check(lease)).toThrow(expect.objectContaining({ code: 'lease-released' }));
  });

  it('is none for a lease that is kept elsewhere, where it would look lost', async () => {
    const { process, client, tableName, wire } = await testLeases(engine);
    const leasesOf = (source: DynamoTokenSource) => new LeaseManager({ source, ttlMs: TTL_MS });
    const acquiredIn = async (source: TokenSource) =>
      unwrap(await new LeaseManager({ source, ttlMs: TTL_MS }).acquire('r')).lease;
    const { lease } = unwrap(await process('a').acquire('r'));
    const elsewhere = [
      leasesOf(dynamoTokenSource({ client, tableName: `${tableName}-2` })),
      leasesOf(
        dynamoTokenSource({ client, tableName, key: (resource) => ({ resource: `lease#${resource}` }) }),
      ),
      leasesOf(dynamoTokenSource({ client, tableName, names: { token: 'counter' } })),
    ];
    wire.forget();
    const refused = expect.objectContaining({ code: 'invalid-input', path: 'lease' });
    for (const leases of elsewhere) expect(() => leases.check(lease)).toThrow(refused);
    const remembered = await acquiredIn(memoryTokenSource());
    expect(() => process('a').check(remembered)).toThrow(refused);
    expect(wire.ops).toEqual([]);

    // Another manager, and a source around a source, may keep it in the same row.
    expect(process('b').check(lease).fence).toBe(lease);
    const inner = dynamoTokenSource({ client, tableName });
    const { lease: traced } = unwrap(
      await new LeaseManager({ source: { ...inner }, ttlMs: TTL_MS }).acquire('traced'),
    );
    expect(leasesOf(inner).check(traced).fence).toBe(traced);
  });
});
