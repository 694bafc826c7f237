import { expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import { dropResponse, throttle } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { scene } from '../repository/ambiguity/scene.ts';
import { balance, before, live } from '../repository/ambiguity/stored.ts';
import { account } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { heard } from './heard.ts';

const a = { id: 'a' };

describeEachEngine('what is told of writes', (engine) => {
  const open = (options = {}) =>
    scene(engine, { with: live({ ...balance(100), note: { S: 'private' } }, before, 5), ...options });

  it('each verb, with the item, the copies and the answer of the service', async () => {
    const { accounts, tableName } = await open();
    const lease = granted(account('a'), 42);
    using told = heard();
    await accounts.claim(lease, a);
    await accounts.update(lease, a, { balance: add(-30) });
    await accounts.put(lease, { id: 'a', balance: 1 });
    await accounts.delete(lease, a);
    await accounts.create(lease, { id: 'a', balance: 2 });
    const { resource, token, holder } = lease;
    const common = { resource, token, holder, table: tableName, key: a, step: undefined, attempts: 1 };
    expect(told.events).toEqual(
      ['claim', 'update', 'put', 'delete', 'create'].map((verb) => ({
        ...{ event: verb === 'claim' ? 'claim' : 'write', verb, ...common },
        atMs: expect.any(Number),
        durationMs: expect.any(Number),
        requestId: expect.stringMatching(/./),
      })),
    );
    expect(new Set(told.events.map((event) => 'requestId' in event && event.requestId)).size).toBe(5);
  });

  it('a refusal by the fence, and those that follow without a request', async () => {
    const { accounts, others } = await open();
    const old = granted(account('a'), 41);
    const newer = granted(account('a'), 42);
    await others.claim(newer, a);
    using told = heard();
    await accounts.put(old, { id: 'a', balance: 70 });
    await accounts.put(old, { id: 'a', balance: 70 });
    const { resource, token, holder } = old;
    const fenced = {
      ...{ event: 'refusal', verb: 'put', reason: 'fenced', resource, token, holder, key: a },
      ...{ lastToken: newer.token, lastHolder: newer.holder, applied: 'no' },
    };
    expect(told.events).toMatchObject([
      { ...fenced, attempts: 1 },
      { ...fenced, attempts: 0, requestId: undefined },
    ]);
  });

  it('a refusal by the content, without any of it', async () => {
    const { accounts } = await open();
    using told = heard();
    const lease = granted(account('a'), 42);
    await accounts.update(lease, a, { balance: add(-300) }, { when: { balance: gte(300) } });
    const absent = granted(account('b'), 42);
    await accounts.update(absent, { id: 'b' }, { balance: add(1) });
    expect(told.kinds).toEqual(['refusal condition', 'refusal not-found']);
    expect(told.events[0]).toMatchObject({ lastToken: undefined, lastHolder: undefined, applied: undefined });
    expect(JSON.stringify(told.events)).not.toMatch(/balance|note|private/);
  });

  it('a replay instead of a write, where an answer was lost', async () => {
    const { accounts, faults } = await open();
    using told = heard();
    faults.add({ on: { op: 'UpdateItem', nth: 1 }, do: dropResponse() });
    const result = await accounts.update(granted(account('a'), 42), a, { balance: add(-30) });
    expect(result).toMatchObject({ ok: true, replayed: true });
    expect(told.events).toMatchObject([{ event: 'replay', verb: 'update', attempts: 2, key: a }]);
  });

  it('an unknown outcome, and what resolve() finds, with all copies counted', async () => {
    const { accounts, faults } = await open({ maxAttempts: 2 });
    using told = heard();
    faults.add({ on: { op: 'UpdateItem' }, do: dropResponse(), times: 2 });
    const error = await accounts
      .update(granted(account('a'), 42), a, { balance: add(-30) })
      .catch((thrown) => thrown);
    await error.resolve();
    expect(told.events).toMatchObject([
      { event: 'unknown', verb: 'update', attempts: 2, key: a, cause: expect.stringMatching(/./) },
      { event: 'replay', verb: 'update', attempts: 3, key: a },
    ]);
  });

  it('contention, outages and faults', async () => {
    const { accounts, faults } = await open({ maxAttempts: 2 });
    using told = heard();
    faults.add({ on: { op: 'PutItem' }, do: throttle(), times: 2 });
    await accounts.put(granted(account('a'), 42), { id: 'a', balance: 1 });
    const gone = scene(engine);
    const { accounts: nowhere } = await gone;
    expect(told.events).toMatchObject([{ event: 'refusal', reason: 'contention', attempts: 2 }]);
    const late = nowhere.put(granted(account('a'), 43), { id: 'a', balance: 1 }, { timeoutMs: 0.001 });
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(told.events[1]).toMatchObject({ event: 'failure', code: 'unavailable', attempts: 0 });
  });
});
