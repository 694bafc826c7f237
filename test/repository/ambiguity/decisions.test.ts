import { describe, expect, it } from 'vitest';
import {
  conflict,
  dropResponse,
  type Fault,
  refuse,
  reset,
  respond,
  serverError,
  throttle,
} from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { balance, live } from './stored.ts';
import { full, withdraw } from './withdraw.ts';

/** What became of a write: its result, or the code or name of what it threw. */
async function outcome(write: Promise<{ ok: boolean; reason?: string }>): Promise<unknown> {
  return write.then(
    (result) => (result.ok ? 'ok' : result.reason),
    (error) => error.code ?? error.name,
  );
}

const denied = respond({ name: 'AccessDeniedException' });
const invalid = respond({ name: 'ValidationException' });

/**
 * What the copies of one write meet, and what that decides. Only the last error reaches a caller of the SDK;
 * here all of them count.
 */
const rows: readonly [copies: string, faults: readonly Fault[], decision: string][] = [
  ['throttled', [throttle(), throttle(), throttle(), throttle()], 'contention'],
  [
    'throttled in every way',
    [
      throttle({ name: 'ThrottlingException' }),
      throttle({ name: 'RequestLimitExceeded' }),
      conflict(),
      respond({ name: 'ReplicatedWriteConflictException' }),
    ],
    'contention',
  ],
  ['in conflict with a transaction', [conflict(), conflict(), conflict(), conflict()], 'contention'],
  ['in conflict once', [conflict()], 'ok'],
  ['throttled, then nobody listens', [throttle(), refuse(), refuse(), refuse()], 'contention'],
  ['nobody listens, then throttled', [refuse(), refuse(), refuse(), throttle()], 'contention'],
  ['nobody listens', [refuse(), refuse(), refuse(), refuse()], 'unavailable'],
  ['lost, then throttled', [reset(), throttle(), throttle(), throttle()], 'outcome-unknown'],
  ['throttled, then lost', [throttle(), throttle(), throttle(), reset()], 'outcome-unknown'],
  ['lost between throttled ones', [throttle(), reset(), throttle(), conflict()], 'outcome-unknown'],
  ['lost, then nobody listens', [reset(), refuse(), refuse(), refuse()], 'outcome-unknown'],
  ['a 5xx, then throttled', [serverError(), throttle(), throttle(), throttle()], 'outcome-unknown'],
  ['lost, then invalid', [reset(), invalid], 'outcome-unknown'],
  ['lost, then denied', [serverError({ statusCode: 503 }), denied], 'outcome-unknown'],
  ['denied', [denied], 'AccessDeniedException'],
  ['invalid', [invalid], 'ValidationException'],
  ['throttled, then denied', [throttle(), denied], 'AccessDeniedException'],
  ['nobody listens, then denied', [refuse(), denied], 'AccessDeniedException'],
];

describeEachEngine('what several copies decide together', (engine) => {
  it.each(rows)('%s', async (_, copies, decision) => {
    const { accounts, stored, faults, sent } = await scene(engine, {
      with: full,
      rules: copies.map((fault, index) => ({ on: { nth: index + 1 }, do: fault })),
    });
    const lease = granted(account('a'), 42);
    expect(await outcome(withdraw(accounts, lease))).toBe(decision);
    expect(faults.bites()).toBe(copies.length);
    expect(sent()).toHaveLength(decision === 'ok' ? copies.length + 1 : copies.length);
    expect(await stored()).toEqual(decision === 'ok' ? live(balance(90), lease, 1) : full);
    // Whatever it was, the next write of the lease is decided by itself.
    expect(await outcome(withdraw(accounts, lease))).toBe('ok');
  });

  it('contention says when to come back', async () => {
    const { accounts } = await scene(engine, { with: full, rules: [{ do: throttle() }] });
    expect(await withdraw(accounts, granted(account('a'), 42))).toStrictEqual({
      ...{ ok: false, reason: 'contention', retryAfterMs: 1_600 },
    });
  });

  it("the cause of an unknown outcome is the SDK's error", async () => {
    const { accounts } = await scene(engine, {
      with: full,
      rules: [
        { on: { nth: 1 }, do: dropResponse() },
        { on: { nth: 2 }, do: denied },
      ],
    });
    await expect(withdraw(accounts, granted(account('a'), 42))).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining('was sent 2 times'),
      cause: { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } },
    });
  });

  describe("what the service says of a request that it will never accept is the SDK's error as it is", () => {
    it('a change that the item does not allow', async () => {
      const text = { id: { S: 'a' }, balance: { S: 'a hundred' } };
      const { accounts, stored, sent } = await scene(engine, { with: text });
      await expect(withdraw(accounts, granted(account('a'), 42))).rejects.toMatchObject({
        ...{ name: 'ValidationException', $fault: 'client', $metadata: { httpStatusCode: 400 } },
      });
      expect(sent()).toEqual(['UpdateItem']);
      expect(await stored()).toEqual(text);
    });

    it('a table that is not there', async () => {
      const { client } = await scene(engine);
      const nowhere = accountsIn({ client, tableName: 'nowhere' });
      await expect(withdraw(nowhere, granted(account('a'), 42))).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    });
  });

  it('a refusal that cannot be read is unavailable: nothing was applied', async () => {
    const { accounts, stored, sent } = await scene(engine, {
      rules: [{ on: { op: 'GetItem' }, do: denied }],
    });
    // Nothing is there, so no engine shows an item.
    await expect(withdraw(accounts, granted(account('a'), 42))).rejects.toMatchObject({
      ...{ code: 'unavailable', applied: 'no', cause: { name: 'AccessDeniedException' } },
    });
    expect(sent()).toEqual(['UpdateItem', 'GetItem']);
    expect(await stored()).toBeUndefined();
  });

  it('a refusal that cannot be read, with a copy on its way, is unknown', async () => {
    const { accounts } = await scene(engine, {
      rules: [
        { on: { nth: 1 }, do: reset() },
        { on: { op: 'GetItem' }, do: denied },
      ],
    });
    await expect(withdraw(accounts, granted(account('a'), 42))).rejects.toMatchObject({
      ...{ code: 'outcome-unknown', cause: { name: 'AccessDeniedException' } },
    });
  });
});
