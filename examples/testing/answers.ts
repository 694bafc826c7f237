// What the service answers on a bad day, and a fault of one's own: run with `npx tsx examples/testing/answers.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from 'dynamodb-fenced';
import {
  conflict,
  delay,
  dropResponse,
  type Fault,
  respond,
  serverError,
  throttle,
} from 'dynamodb-fenced/testing';
import { key, openTill } from './till.ts';

const update = { op: 'UpdateItem' } as const;
const first = { op: 'UpdateItem', nth: 1 } as const;
const spend = { balance: add(-30) };

test('throttle: turned away, nothing was evaluated', async () => {
  // #region throttle
  await using till = await openTill({ on: update, do: throttle() });
  const paid = await till.accounts.update(till.lease, key, spend);
  assert.equal(!paid.ok && paid.reason, 'contention');
  assert.equal(await till.balance(), 100);
  // #endregion throttle
});

test('conflict: a transaction holds the item', async () => {
  // #region conflict
  await using till = await openTill({ on: update, times: 1, do: conflict() });
  const paid = await till.accounts.update(till.lease, key, spend);
  assert.equal(paid.ok, true); // sent again: a conflict says nothing about the fence
  // #endregion conflict
});

test('serverError: a 500 of a write that was applied', async () => {
  // #region serverError
  await using till = await openTill({ on: first, do: serverError({ applied: true }) });
  const paid = await till.accounts.update(till.lease, key, spend);
  assert.equal(paid.ok && paid.replayed, true);
  assert.equal(await till.balance(), 70);
  // #endregion serverError
});

test('respond: any error of the service', async () => {
  // #region respond
  const denied = respond({ name: 'AccessDeniedException', message: 'no dynamodb:UpdateItem for you' });
  await using till = await openTill({ on: update, do: denied });
  const paying = till.accounts.update(till.lease, key, spend);
  await assert.rejects(paying, { name: 'AccessDeniedException' });
  // #endregion respond
});

test('several at once, and by chance', async () => {
  // #region rules
  await using till = await openTill(
    { on: first, do: [delay(20), dropResponse()] }, // waits, then loses the answer
    { on: { where: ({ input }) => input.TableName === 'leases' }, do: throttle(), times: 2 },
    { on: { op: 'GetItem' }, do: dropResponse(), probability: 0.2 }, // of a fixed seed
  );
  // #endregion rules
  assert.equal((await till.accounts.update(till.lease, key, spend)).ok, true);
  assert.equal((await till.lease.renew()).ok, true);
  assert.deepEqual([till.wire.bites('dropResponse'), till.wire.bites('throttle')], [1, 2]);
});

test('a fault of your own', async () => {
  // #region own
  const oldDate: Fault = {
    name: 'oldDate',
    async inject({ deliver }) {
      const { response } = await deliver();
      const date = new Date(Date.now() - 600_000).toUTCString();
      return { response: { ...response, headers: { ...response.headers, date } } };
    },
  };
  // #endregion own
  await using till = await openTill({ on: update, do: oldDate });
  assert.equal((await till.accounts.update(till.lease, key, spend)).ok, true);
  assert.equal(till.wire.bites('oldDate'), 1);
});
