import { expect, it } from 'vitest';
import { add, gte } from '../../src/expressions.ts';
import { transact } from '../../src/index.ts';
import { dropResponse, throttle } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { bank, leasesOn, open } from '../transaction/bank.ts';
import { heard } from './heard.ts';

describeEachEngine('what is told of a transaction', (engine) => {
  const setting = () => bank(engine, { with: [open('a', 100), open('b', 100)], maxAttempts: 2 });
  const transfer = ({ accounts }: Awaited<ReturnType<typeof setting>>, least = 30) => {
    const [a, b] = leasesOn(42, ['a', 'b']);
    const debit = { balance: add(-30) };
    return {
      ...{ a, b },
      steps: {
        debit: accounts.plan.update(a, { id: 'a' }, debit, { when: { balance: gte(least) } }),
        credit: accounts.plan.update(b, { id: 'b' }, { balance: add(30) }),
      },
    };
  };

  it('is an event for each item that it writes, with the fence of that step', async () => {
    const town = await setting();
    const { a, b, steps } = transfer(town);
    using told = heard();
    expect(await transact(steps)).toMatchObject({ ok: true });
    const common = { event: 'write', verb: 'update', table: town.tableName, attempts: 1 };
    expect(told.events).toMatchObject([
      { ...common, step: 'debit', key: { id: 'a' }, resource: a.resource, token: 42, holder: a.holder },
      { ...common, step: 'credit', key: { id: 'b' }, resource: b.resource, token: 42, holder: b.holder },
    ]);
    const [debit, credit] = told.events;
    expect(debit).toHaveProperty('requestId', expect.stringMatching(/./));
    expect(credit).toHaveProperty('requestId', (debit as { requestId: string }).requestId);
  });

  it('says nothing of what it only checked', async () => {
    const town = await setting();
    const [a, b] = leasesOn(42, ['a', 'b']);
    using told = heard();
    const result = await transact({
      debit: town.accounts.plan.update(a, { id: 'a' }, { balance: add(-30) }),
      rich: town.accounts.plan.check(b, { id: 'b' }, { when: { balance: gte(100) } }),
    });
    expect(result).toMatchObject({ ok: true });
    expect(told.events).toMatchObject([{ event: 'write', step: 'debit' }]);
  });

  it('a refusal is an event for each step that refused, and one by a fence goes on without a request', async () => {
    const town = await setting();
    const { steps } = transfer(town, 300);
    using told = heard();
    await transact(steps);
    expect(told.events).toMatchObject([
      { event: 'refusal', reason: 'condition', step: 'debit', attempts: 1 },
    ]);

    const late = transfer(town);
    const [newer] = leasesOn(43, ['b']);
    await town.others.claim(newer, { id: 'b' });
    await transact(late.steps);
    await transact(late.steps);
    expect(told.events.slice(-2)).toMatchObject([
      { event: 'refusal', reason: 'fenced', step: 'credit', lastToken: 43, attempts: 1 },
      { event: 'refusal', reason: 'fenced', step: 'credit', lastToken: 43, attempts: 0 },
    ]);
  });

  it('a transaction that was turned away as a whole is one of all its steps', async () => {
    const town = await setting();
    const { steps } = transfer(town);
    using told = heard();
    town.faults.add({ on: { op: 'TransactWriteItems' }, do: throttle() });
    await transact(steps, { timeoutMs: 500 });
    expect(told.events).toMatchObject([
      { event: 'refusal', reason: 'contention', step: 'debit' },
      { event: 'refusal', reason: 'contention', step: 'credit' },
    ]);
  });

  it('an unknown outcome, and its resolve()', async () => {
    const town = await setting();
    const { steps } = transfer(town);
    using told = heard();
    town.faults.add({ on: { op: 'TransactWriteItems' }, do: dropResponse(), times: 2 });
    const error = await transact(steps).catch((thrown) => thrown);
    await error.resolve();
    expect(told.kinds).toEqual(['unknown', 'unknown', 'replay', 'replay']);
    expect(told.events[2]).toMatchObject({ step: 'debit', verb: 'update', attempts: 3 });
  });
});
