// What arrives late, out of order, or twice: run with `npx tsx examples/testing/late.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, unwrap } from 'dynamodb-fenced';
import { delay, duplicate, pause, reorder } from 'dynamodb-fenced/testing';
import { key, openTill } from './till.ts';

const first = { op: 'UpdateItem', nth: 1 } as const;

test('pause: a write stands still until the test lets it go', async () => {
  // #region pause
  const gate = pause();
  await using till = await openTill({ on: first, do: gate });
  const late = till.accounts.update(till.lease, key, { balance: add(-30) });
  await gate.reached; // it is on the wire
  const { lease: newer } = unwrap(await till.leases.takeOver(till.lease));
  unwrap(await till.accounts.put(newer, { id: 'a1', balance: 50 }));
  gate.release();
  const refused = await late;
  assert.equal(!refused.ok && refused.reason, 'fenced');
  assert.equal(await till.balance(), 50);
  // #endregion pause
});

test('delay: an answer takes its time', async () => {
  // #region delay
  await using till = await openTill({ on: first, do: delay(20, { at: 'answer' }) }); // in ms
  unwrap(await till.accounts.update(till.lease, key, { balance: add(-30) }));
  assert.equal(till.wire.bites('delay'), 1);
  // #endregion delay
});

test('reorder: the second overtakes the first', async () => {
  // #region reorder
  await using till = await openTill({ on: { op: 'GetItem', nth: 1 }, do: reorder() });
  const read = till.accounts.get(key); // leaves first,
  unwrap(await till.accounts.update(till.lease, key, { balance: add(-30) }));
  assert.equal((await read)?.item.balance, 70); // and arrives after the update
  // #endregion reorder
});

test('duplicate: a copy arrives once more, after later writes', async () => {
  // #region duplicate
  const copy = duplicate({ after: { requests: 1 } });
  await using till = await openTill({ on: first, do: copy });
  unwrap(await till.accounts.update(till.lease, key, { balance: add(-30) }));
  unwrap(await till.accounts.update(till.lease, key, { balance: add(-20) }));
  await till.wire.idle(); // until the copy has arrived
  assert.equal(copy.answers[0]?.statusCode, 400); // refused: its number is behind the second write's
  assert.equal(await till.balance(), 50);
  // #endregion duplicate
});
