import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { decodeItem } from '../../src/dynamo/decode.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { item } from './any-item.ts';
import { FencedItems } from './fenced-items.ts';

describeEachEngine('marshalling', (engine) => {
  let items: FencedItems;
  beforeAll(async () => {
    items = new FencedItems(engine.client(), await engine.table({ partitionKey: 'id' }));
  });

  const stored = async (content: object) => items.read(await items.put(content));

  it('gives back what was stored', async () => {
    await fc.assert(
      fc.asyncProperty(item, async (content) => {
        expect(await stored(content)).toStrictEqual(content);
      }),
      { numRuns: 100 },
    );
  });

  const nested = (levels: number): unknown =>
    levels === 1 ? 'x' : levels % 2 ? [nested(levels - 1)] : { k: nested(levels - 1) };

  it.each([
    ['a token beyond 2^53', 9007199254740993n],
    ['the largest number', (10n ** 38n - 1n) * 10n ** 88n],
    ['the smallest', 1e-130],
    ['a small one of many digits', 2 ** -430 * (1 + Number.EPSILON)],
    ['empty text', ''],
    ['empty binary', new Uint8Array()],
    ['empty text in a set', new Set(['', 'a'])],
    ['empty lists and maps', [[], {}]],
    ['32 levels', nested(32)],
    ['text of any plane', 'größe 😀 \u0000 \uffff'],
    ['null', null],
  ])('stores %s', async (_, value) => {
    expect(await stored({ value })).toStrictEqual({ value });
  });

  it('stores zeros as one zero', async () => {
    expect(await stored({ zero: -0, one: 1.0 })).toStrictEqual({ zero: 0, one: 1 });
  });

  it('reads what others stored, and loses no digit', async () => {
    const id = randomUUID();
    await items.putRaw({
      id: { S: id },
      nothing: { NULL: true },
      long: { N: '0.12345678901234567890123456789012345678' },
    });
    await expect(items.read(id)).rejects.toThrow(
      /item\.long: 0\.12345678901234567890123456789012345678 has more digits/,
    );
    expect(decodeItem(await items.readRaw(id), { numbers: (text) => text })).toMatchObject({
      nothing: null,
      long: '0.12345678901234567890123456789012345678',
    });
  });

  it('reads binary as a plain Uint8Array', async () => {
    const { bytes } = await stored({ bytes: Buffer.from('abc') });
    expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
    expect(bytes).toEqual(new TextEncoder().encode('abc'));
  });
});
