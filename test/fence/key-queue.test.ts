import { expect, it } from 'vitest';
import { KeyQueue, type Turn } from '../../src/fence/key-queue.ts';

/** Whether a turn has come, after everything that can go on has done so. */
async function hasCome({ ready }: Turn): Promise<boolean> {
  let come = false;
  void ready.then(() => {
    come = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return come;
}

it('lets one go at a time, per key', async () => {
  const queue = new KeyQueue();
  const [first, second, other] = [queue.join(['a']), queue.join(['a']), queue.join(['b'])];
  expect([await hasCome(first), await hasCome(second), await hasCome(other)]).toEqual([true, false, true]);
  first.leave();
  expect(await hasCome(second)).toBe(true);
});

it('who gives up in the middle lets nobody overtake those before it', async () => {
  const queue = new KeyQueue();
  const [first, second, third] = [queue.join(['a']), queue.join(['a']), queue.join(['a'])];
  second.leave();
  expect(await hasCome(third)).toBe(false);
  first.leave();
  expect(await hasCome(third)).toBe(true);
});

it('waits in several queues at once, in the same order everywhere', async () => {
  const queue = new KeyQueue();
  const [a, both, b, again] = [
    queue.join(['a']),
    queue.join(['b', 'a']),
    queue.join(['b']),
    queue.join(['a', 'b']),
  ];
  expect([await hasCome(both), await hasCome(b)]).toEqual([false, false]);
  a.leave();
  expect([await hasCome(both), await hasCome(b)]).toEqual([true, false]);
  both.leave();
  expect([await hasCome(b), await hasCome(again)]).toEqual([true, false]);
  b.leave();
  expect(await hasCome(again)).toBe(true);
});

it('the same key twice is one key', async () => {
  const turn = new KeyQueue().join(['a', 'a']);
  expect(await hasCome(turn)).toBe(true);
});

it('forgets keys that nobody waits for', async () => {
  const queue = new KeyQueue();
  const turns = Array.from({ length: 100 }, (_, n) => queue.join([`k${n % 10}`, `other ${n}`]));
  expect(queue.busyKeys).toBe(110);
  for (const turn of turns) turn.leave();
  await Promise.all(turns.map(({ ready }) => ready));
  await new Promise((resolve) => setImmediate(resolve));
  expect(queue.busyKeys).toBe(0);
});
