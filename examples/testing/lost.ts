// What is lost on the way, there or back: run with `npx tsx examples/testing/lost.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { add, isOutcomeUnknown } from 'dynamodb-fenced';
import { abortBody, cutAnswer, dropResponse, hang, refuse, reset } from 'dynamodb-fenced/testing';
import { key, openTill } from './till.ts';

// The first copy of the first update; the copies that follow it pass.
const first = { op: 'UpdateItem', nth: 1 } as const;
const spend = { balance: add(-30) };

test('dropResponse: applied, and nobody hears of it', async () => {
  // #region dropResponse
  await using till = await openTill({ on: first, do: dropResponse() });
  const paid = await till.accounts.update(till.lease, key, spend);
  assert.equal(paid.ok && paid.replayed, true); // the second copy found the effect of the first
  assert.equal(await till.balance(), 70);
  assert.equal(till.wire.bites('dropResponse'), 1); // the fault happened: the test is worth something
  // #endregion dropResponse
});

test('cutAnswer: applied, and half of the answer arrives', async () => {
  // #region cutAnswer
  await using till = await openTill({ on: first, do: cutAnswer({ afterBytes: 10 }) });
  const paid = await till.accounts.update(till.lease, key, spend);
  assert.equal(paid.ok && paid.replayed, true);
  assert.equal(await till.balance(), 70);
  // #endregion cutAnswer
});

test('reset: the connection breaks before the request arrives', async () => {
  // #region reset
  await using till = await openTill({ on: first, do: reset() });
  const paid = await till.accounts.update(till.lease, key, spend);
  assert.equal(paid.ok && paid.replayed, false); // there was nothing to find
  assert.equal(await till.balance(), 70);
  // #endregion reset
});

test('abortBody: the connection breaks while the request is being sent', async () => {
  // #region abortBody
  await using till = await openTill({ on: first, do: abortBody() });
  const paid = await till.accounts.update(till.lease, key, spend);
  assert.equal(paid.ok && paid.replayed, false); // half a request is none
  assert.equal(await till.balance(), 70);
  // #endregion abortBody
});

test('refuse: nobody listens', async () => {
  // #region refuse
  await using till = await openTill({ on: { op: 'UpdateItem' }, do: refuse() });
  const paying = till.accounts.update(till.lease, key, spend);
  await assert.rejects(paying, { code: 'unavailable', applied: 'no' }); // proved, because nothing left
  assert.equal(await till.balance(), 100);
  // #endregion refuse
});

test('hang: no answer ever comes', async () => {
  // #region hang
  await using till = await openTill({ on: { op: 'UpdateItem' }, do: hang() });
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const paying = till.accounts.update(till.lease, key, spend, { signal }); // or else for 10 s
  while (till.wire.bites('hang') === 0) await turn();
  giveUp.abort();
  const error = await paying.catch((thrown: unknown) => thrown);
  assert.ok(isOutcomeUnknown(error)); // it was sent, and nobody can know whether it arrived
  till.wire.heal();
  await error.resolve(); // the same bytes again: applied once in any case
  assert.equal(await till.balance(), 70);
  // #endregion hang
});
