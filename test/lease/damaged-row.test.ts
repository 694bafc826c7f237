import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { fence } from '../../src/fence/fence.ts';
import { MAX_FENCING_TOKEN } from '../../src/fence/token.ts';
import { unwrap } from '../../src/fence/unwrap.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { freeRow, TTL_MS, testLeases } from './lease-table.ts';

type Item = Record<string, AttributeValue>;

const resource = { S: 'r' };
const far = { N: '99999999999999' };

describeEachEngine('a damaged lease row', (engine) => {
  it.each<[string, Item]>([
    ['no token', { resource }],
    ['a token of text', { resource, token: { S: '9' } }],
    ['a token of null', { resource, token: { NULL: true } }],
    ['a fraction', { resource, token: { N: '41.5' }, holder: { S: 'x' }, expiresAtMs: far }],
    ['a negative token', { resource, token: { N: '-1' }, holder: { S: 'x' }, expiresAtMs: far }],
    ['a holder without an end', { resource, token: { N: '41' }, holder: { S: 'x' } }],
    [
      'a holder whose end is text',
      { resource, token: { N: '41' }, holder: { S: 'x' }, expiresAtMs: { S: '0' } },
    ],
    ['a holder of no text', { resource, token: { N: '41' }, holder: { N: '1' }, expiresAtMs: far }],
  ])('%s is said to be corrupt, and left as it is', async (_, row) => {
    const { process, plant, stored } = await testLeases(engine);
    await plant(row);
    const a = process('a');
    const corrupt = expect.objectContaining({ code: 'corrupt-fence', next: 'final' });
    await expect(a.acquire('r', { waitMs: 1_000 })).rejects.toEqual(corrupt);
    await expect(a.takeOver(fence('r', 40))).rejects.toEqual(corrupt);
    await expect(a.inspect('r')).rejects.toEqual(corrupt);
    expect(await stored()).toEqual(row);
  });

  it.each([String(MAX_FENCING_TOKEN), '9223372036854775807', '1e38'])(
    'a counter at %s is exhausted, and left as it is: nothing is rounded',
    async (token) => {
      const { process, plant, stored } = await testLeases(engine);
      const row = { resource, token: { N: token } };
      await plant(row);
      const before = await stored();
      const exhausted = expect.objectContaining({ code: 'token-exhausted', next: 'final' });
      await expect(process('a').acquire('r', { waitMs: 1_000 })).rejects.toEqual(exhausted);
      await expect(process('a').raise('r', { above: 0 })).rejects.toEqual(exhausted);
      expect(await stored()).toEqual(before);
    },
  );

  it('the last token can still be held, renewed and released', async () => {
    const { process, plant, stored, clock } = await testLeases(engine);
    await plant(freeRow('r', MAX_FENCING_TOKEN - 1));
    const result = await process('a').acquire('r');
    if (!result.ok) throw new Error(result.reason);
    expect(result.lease.token).toBe(MAX_FENCING_TOKEN);
    expect(await process('b').acquire('r')).toMatchObject({ reason: 'held', token: MAX_FENCING_TOKEN });
    await clock.advance(TTL_MS / 2);
    expect(await result.lease.renew()).toMatchObject({ ok: true });
    await result.lease.release();
    expect(await stored()).toEqual(freeRow('r', MAX_FENCING_TOKEN));
    await expect(process('b').acquire('r')).rejects.toMatchObject({ code: 'token-exhausted' });
  });

  it('a last token that somebody made up is lost, and says nothing about the resource', async () => {
    const { process, plant, stored } = await testLeases(engine);
    const a = process('a');
    const last = () => fence('r', MAX_FENCING_TOKEN);
    expect(await a.takeOver(last())).toMatchObject({ ok: false, reason: 'lost' });
    expect(await stored()).toBeUndefined();
    const { lease } = unwrap(await a.acquire('r'));
    expect(await a.takeOver(last())).toMatchObject({ ok: false, reason: 'lost' });
    expect(await lease.renew()).toMatchObject({ ok: true });
    await plant(freeRow('r', MAX_FENCING_TOKEN));
    expect(await a.takeOver(last())).toMatchObject({ ok: false, reason: 'lost' });
    const held = { ...freeRow('r', MAX_FENCING_TOKEN), holder: { S: 'x' }, expiresAtMs: far };
    await plant(held);
    await expect(a.takeOver(last())).rejects.toMatchObject({ code: 'token-exhausted' });
    expect(await stored()).toEqual(held);
  });

  it('data that no number of JavaScript holds keeps nobody from seeing who holds the lease', async () => {
    const { process, plant } = await testLeases(engine);
    const share = { N: '0.1234567890123456789' };
    const data = { M: { share, shares: { NS: [share.N, '7'] }, big: { N: '12345678901234567890' } } };
    await plant({ resource, token: { N: '41' }, holder: { S: 'x' }, expiresAtMs: far, data });
    expect(await process('a').inspect('r')).toEqual({
      ...{ resource: 'r', token: 41, holder: 'x', expiresAtMs: Number(far.N) },
      data: { share: share.N, shares: new Set([share.N, 7]), big: 12345678901234567890n },
    });
  });
});
