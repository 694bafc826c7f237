import { expect, it } from 'vitest';
import { snapshot } from '../../src/repository/snapshot.ts';

it('is equal, and shares nothing that can be stored', () => {
  const original = {
    text: 'a',
    list: [1, { deep: new Set(['x']) }],
    bytes: new Uint8Array([1, 2]),
    bare: Object.assign(Object.create(null), { n: 1 }),
    nothing: null,
  };
  const copy = snapshot(original);
  expect(copy).toStrictEqual(original);
  expect(copy.list).not.toBe(original.list);
  expect(copy.list[1]).not.toBe(original.list[1]);
  expect(copy.bytes).not.toBe(original.bytes);
  expect(copy.bare).not.toBe(original.bare);
});

it('keeps what an item may not have, for those who refuse it, and instances as they are', () => {
  const symbol = Symbol('s');
  const date = new Date(0);
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is copied here.
  const holes = [1, , 3];
  const copy = snapshot({
    [symbol]: 1,
    date,
    holes,
    get computed(): number {
      throw new Error('run');
    },
  });
  expect(copy[symbol]).toBe(1);
  expect(copy.date).toBe(date);
  expect([copy.holes.length, 1 in copy.holes]).toEqual([3, false]);
  expect(Object.getOwnPropertyDescriptor(copy, 'computed')?.get).toBeTypeOf('function');
});

it('leaves bytes that are gone to those who refuse them', () => {
  const bytes = new Uint8Array([1]);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  expect(snapshot({ bytes }).bytes).toBe(bytes);
});

it('of what contains itself does so too, and what is there twice stays one', () => {
  const shared = { n: 1 };
  const original: Record<string, unknown> = { a: shared, b: shared };
  original.self = original;
  const copy = snapshot(original);
  expect(copy.self).toBe(copy);
  expect(copy.a).toBe(copy.b);
  expect(copy.a).not.toBe(shared);
});
