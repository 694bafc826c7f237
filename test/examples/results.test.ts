import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bank, openBank } from '../../examples/results/bank.ts';
import * as content from '../../examples/results/by-the-content.ts';
import * as byFence from '../../examples/results/by-the-fence.ts';
import * as errors from '../../examples/results/errors.ts';
import * as ofLeases from '../../examples/results/of-leases.ts';
import { refusedSteps } from '../../examples/results/transactions.ts';
import { systemClock } from '../../src/fence/clock.ts';
import { skewedClock } from '../../src/testing/index.ts';

/** What each example ends in, by the heading of docs/results.md that quotes it. */
const refusals: Record<string, (bank: Bank) => Promise<unknown>> = {
  fenced: byFence.fenced,
  'token-reused': byFence.tokenReused,
  superseded: byFence.superseded,
  contention: byFence.contention,
  'not-found': content.notFound,
  exists: content.exists,
  version: content.version,
  condition: content.condition,
  held: ofLeases.held,
  lost: ofLeases.lost,
};
const faults: Record<string, (bank: Bank) => Promise<unknown>> = {
  'invalid-input': errors.invalidInput,
  unavailable: errors.unavailable,
  'corrupt-fence': errors.corruptFence,
  'token-exhausted': errors.tokenExhausted,
  'unfenced-item': errors.unfencedItem,
  'unreadable-value': errors.unreadableValue,
  'lease-expired': (bank) => errors.leaseExpired(bank, clock),
  'lease-released': errors.leaseReleased,
};

let clock = skewedClock(systemClock, 0);
let bank: Bank;
const said: string[] = [];
beforeEach(async () => {
  clock = skewedClock(systemClock, 0);
  bank = await openBank({ clock });
  said.length = 0;
  for (const method of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((text: string) => void said.push(text));
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await bank[Symbol.asyncDispose]();
});

describe('the examples of docs/results.md', () => {
  it.each(Object.entries(refusals))('%s is answered', async (reason, example) => {
    expect(await example(bank)).toMatchObject({ ok: false, reason });
  });

  it.each(Object.entries(faults))('%s is thrown, with a link to its heading', async (code, example) => {
    const docs = `docs/results.md#${code}`;
    await expect(example(bank)).rejects.toMatchObject({ code, docs, message: expect.stringContaining(docs) });
  });

  it('a transaction names every step that is refused', async () => {
    const result = await refusedSteps(bank);
    expect(result).toMatchObject({ ok: false, reason: 'not-found', step: 'credit' });
    expect(said).toEqual(['debit a1: condition', 'credit b1: not-found']);
  });

  it('outcome-unknown is resolved, and the update was applied once', async () => {
    expect(await errors.outcomeUnknown(bank)).toMatchObject({
      ok: true,
      replayed: true,
      item: { balance: 70 },
    });
    expect(bank.wire.bites('dropResponse')).toBe(2);
  });

  it('refused: unwrap throws the refusal', async () => {
    expect(await errors.refused(bank)).toMatchObject({
      name: 'RefusedError',
      code: 'not-found',
      result: { reason: 'not-found' },
    });
    expect(said).toEqual(['no such account']);
  });

  it('unreadable-value: a function of yours gets the digits', async () => {
    await errors.unreadableValue(bank).catch(() => undefined);
    expect(said).toEqual(['0.1234567890123456789']);
  });

  it('corrupt-fence: an operator sees it', async () => {
    await errors.corruptFence(bank).catch(() => undefined);
    expect(said).toEqual(['tombstone, stamp: corrupt']);
  });

  it('invalid-input says where, and what to do', async () => {
    await expect(errors.invalidInput(bank)).rejects.toThrow(
      'item.openedAt: a Date has no type in DynamoDB. Store date.toISOString()',
    );
  });

  it('not-found leaves no ghost, and upsert makes the item', async () => {
    await content.notFound(bank);
    expect((await bank.accounts.get({ id: 'a1' }))?.item).toEqual({ id: 'a1', balance: 10 });
  });

  it.each([
    [content.exists, 70],
    [content.version, 70],
    [content.condition, 20],
    [byFence.fenced, 100],
    [byFence.tokenReused, 100],
    [byFence.superseded, 70],
  ])('%o leaves the item as it was', async (example, balance) => {
    await example(bank);
    expect((await bank.accounts.get({ id: 'a1' }))?.item).toEqual({ id: 'a1', balance });
    expect(said).toHaveLength(1);
  });
});
