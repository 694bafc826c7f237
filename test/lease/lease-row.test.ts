import { expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { skewedClock } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { freeRow, rowOf, TTL_MS, testLeases } from './lease-table.ts';

describeEachEngine('a lease row, and what each step costs', (engine) => {
  it('acquire, renew and release: one request each', async () => {
    const { process, clock, wire, stored } = await testLeases(engine);
    const a = process('a');
    const data = { job: 7, tags: new Set(['x']) };
    const { lease } = unwrap(await a.acquire('r', { data }));
    const stores = { data: { M: { job: { N: '7' }, tags: { SS: ['x'] } } } };
    expect(lease.token).toBe(clock.now());
    expect(await stored()).toEqual({ ...rowOf(lease), ...stores });

    await clock.advance(6_000);
    unwrap(await lease.renew());
    expect(lease.expiresAtMs).toBe(clock.now() + TTL_MS);
    expect(await stored()).toEqual({ ...rowOf(lease), ...stores });

    await lease.release();
    expect(await stored()).toEqual(freeRow('r', lease.token));
    expect(wire.ops).toEqual(['UpdateItem', 'UpdateItem', 'UpdateItem']);
  });

  it('acquire again, after a release and after an expiry: one request, nothing of the earlier holder stays', async () => {
    const { process, clock, wire, stored } = await testLeases(engine);
    const first = unwrap(await process('a').acquire('r', { data: 'secret' })).lease;
    await clock.advance(TTL_MS);
    const second = unwrap(await process('b').acquire('r')).lease;
    expect(await stored()).toEqual(rowOf(second));
    await second.release();
    await clock.advance(1);
    const third = unwrap(await process('c').acquire('r')).lease;
    expect(await stored()).toEqual(rowOf(third));
    expect([second.token > first.token, third.token > second.token]).toEqual([true, true]);
    expect(wire.ops).toEqual(['UpdateItem', 'UpdateItem', 'UpdateItem', 'UpdateItem']);
  });

  it('a refused acquire: one request, and a look where the engine does not show who refused', async () => {
    const { process, wire, refused, stored } = await testLeases(engine);
    const { lease } = unwrap(await process('a').acquire('r'));
    wire.forget();
    expect(await process('b').acquire('r')).toMatchObject({
      reason: 'held',
      holder: lease.holder,
      token: lease.token,
      expiresAtMs: lease.expiresAtMs,
    });
    expect(wire.ops).toEqual(refused('UpdateItem', rowOf(lease)));
    expect(await stored()).toEqual(rowOf(lease));
  });

  it('a row ahead of the clock: one request more, once; then its number is known', async () => {
    const { process, clock, wire, refused, stored } = await testLeases(engine);
    const ahead = process('a', { clock: skewedClock(clock, 3_600_000) });
    const first = unwrap(await ahead.acquire('r')).lease;
    await first.release();
    wire.forget();
    const b = process('b');
    const second = unwrap(await b.acquire('r')).lease;
    expect(wire.ops).toEqual([...refused('UpdateItem', freeRow('r', 1)), 'UpdateItem']);
    expect(second.token).toBe(first.token + 1);
    expect(await stored()).toEqual(rowOf(second));
    await second.release();
    wire.forget();
    expect(unwrap(await b.acquire('r')).lease.token).toBe(second.token + 1);
    expect(wire.ops).toEqual(['UpdateItem']);
  });

  it('a grant that ends at this moment is over, also in a row ahead of the clock', async () => {
    const { process, clock, plant, stored } = await testLeases(engine);
    const token = clock.now() * 2;
    await plant(rowOf({ resource: 'r', token, holder: 'x', expiresAtMs: clock.now() }));
    const { lease } = unwrap(await process('a').acquire('r'));
    expect(lease.token).toBe(token + 1);
    expect(await stored()).toEqual(rowOf(lease));
  });

  it('a renewal after the takeover: fenced, and the newer grant is left alone', async () => {
    const { process, clock, wire, refused, stored } = await testLeases(engine);
    const first = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(TTL_MS);
    const second = unwrap(await process('b').acquire('r')).lease;
    wire.forget();
    expect(await first.renew()).toMatchObject({
      reason: 'fenced',
      lastToken: second.token,
      lastHolder: second.holder,
    });
    expect(wire.ops).toEqual(refused('UpdateItem', rowOf(second)));
    await first.renew();
    await first.release();
    expect(wire.ops).toEqual(refused('UpdateItem', rowOf(second)));
    expect(await stored()).toEqual(rowOf(second));
  });

  it('a release after the takeover: one request, no error, and the newer grant is left alone', async () => {
    const { process, clock, wire, stored } = await testLeases(engine);
    const first = unwrap(await process('a').acquire('r')).lease;
    await clock.advance(TTL_MS);
    const second = unwrap(await process('b').acquire('r')).lease;
    wire.forget();
    await first.release();
    expect(wire.ops).toEqual(['UpdateItem']);
    expect(await stored()).toEqual(rowOf(second));
  });

  it('a renewal of what was ended by nobody newer: lost', async () => {
    const { process, plant, wire, refused, stored } = await testLeases(engine);
    const lease = unwrap(await process('a').acquire('r')).lease;
    // As after the restore of a backup in which the lease was free.
    await plant(freeRow('r', lease.token));
    wire.forget();
    expect(await lease.renew()).toMatchObject({ ok: false, reason: 'lost', token: lease.token });
    expect(wire.ops).toEqual(refused('UpdateItem', freeRow('r', lease.token)));
    expect(await stored()).toEqual(freeRow('r', lease.token));
  });

  it('takeOver: one request; the giver is fenced', async () => {
    const { process, clock, wire, stored } = await testLeases(engine);
    const given = unwrap(await process('a').acquire('r', { data: 'given' })).lease;
    wire.forget();
    await clock.advance(1);
    const { lease } = unwrap(await process('b').takeOver(given, { data: 'taken' }));
    expect(wire.ops).toEqual(['UpdateItem']);
    expect(lease.token).toBe(clock.now());
    expect(await stored()).toEqual({ ...rowOf(lease), data: { S: 'taken' } });
  });

  it('takeOver in the same millisecond still gets a larger number, at once', async () => {
    const { process, wire } = await testLeases(engine);
    const given = unwrap(await process('a').acquire('r')).lease;
    wire.forget();
    expect(unwrap(await process('b').takeOver(given)).lease.token).toBe(given.token + 1);
    expect(wire.ops).toEqual(['UpdateItem']);
  });

  it('raise: one request, which ends the grant; one more where the row is further', async () => {
    const { process, clock, wire, stored, refused } = await testLeases(engine);
    unwrap(await process('a').acquire('r', { data: 'x' }));
    wire.forget();
    const above = clock.now() * 2;
    expect(await process('operator').raise('r', { above })).toBe(above + 1);
    expect(wire.ops).toEqual(['UpdateItem']);
    expect(await stored()).toEqual(freeRow('r', above + 1));
    wire.forget();
    expect(await process('another').raise('r', { above: 0 })).toBe(above + 2);
    expect(wire.ops).toEqual([...refused('UpdateItem', freeRow('r', 1)), 'UpdateItem']);
    expect(await process('operator').raise('new', { above: 5 })).toBe(clock.now());
    expect(await stored('new')).toEqual(freeRow('new', clock.now()));
  });

  it('raise ends also a grant under the very token that it proposed', async () => {
    const { process, clock, stored } = await testLeases(engine);
    const { lease } = unwrap(await process('a').acquire('r'));
    expect(lease.token).toBe(clock.now());
    expect(await process('operator').raise('r', { above: 0 })).toBe(lease.token + 1);
    expect(await stored()).toEqual(freeRow('r', lease.token + 1));
  });

  it('inspect: one consistent read', async () => {
    const { process, wire } = await testLeases(engine);
    const a = process('a');
    const { lease } = unwrap(await a.acquire('r', { data: { job: 7 } }));
    wire.forget();
    expect(await a.inspect('r')).toEqual({ ...lease.toJSON(), data: { job: 7 } });
    expect(await a.inspect('other')).toBeUndefined();
    expect(wire.requests.map(({ op, input }) => [op, input.ConsistentRead])).toEqual([
      ['GetItem', true],
      ['GetItem', true],
    ]);
  });

  it('every change is one conditional update that names the token, with every name aliased', async () => {
    const { process, clock, wire } = await testLeases(engine);
    const a = process('a');
    const given = unwrap(await a.acquire('r', { data: 1 })).lease;
    await given.renew();
    const taken = unwrap(await process('b').takeOver(given)).lease;
    await taken.release();
    await a.raise('r', { above: clock.now() });
    const giveUp = new AbortController();
    const waiting = a.acquire('r2', { signal: giveUp.signal });
    giveUp.abort();
    await waiting.catch(() => undefined);
    const updates = wire.requests.filter(({ op }) => op !== 'GetItem');
    expect(new Set(updates.map(({ op }) => op))).toEqual(new Set(['UpdateItem']));
    for (const { input } of updates) {
      expect(input.ConditionExpression).toContain('#token');
      expect(input.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
      const words = `${input.UpdateExpression} ${input.ConditionExpression}`.match(/(?<![#:\w])\w+/g) ?? [];
      const language = /^(SET|REMOVE|AND|OR|attribute_exists|attribute_not_exists)$/;
      expect(words.filter((word) => !language.test(word))).toEqual([]);
    }
  });
});
