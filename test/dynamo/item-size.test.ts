import { expect, it } from 'vitest';
import { itemSize } from '../../src/dynamo/item-size.ts';

it.each([
  ['text, by its UTF-8', { name: { S: 'é€' } }, 4 + 5],
  ['a number, by its digits', { n: { N: '-12345.5' } }, 1 + 4],
  ['a number with an exponent', { n: { N: '1.25e+10' } }, 1 + 3],
  ['binary', { b: { B: new Uint8Array(7) } }, 1 + 7],
  ['a boolean, and null', { t: { BOOL: true }, f: { NULL: true } }, 2 + 2],
  ['sets', { s: { SS: ['ab', 'c'] }, n: { NS: ['1', '22'] }, b: { BS: [new Uint8Array(2)] } }, 3 + 3 + 4 + 2],
  ['a list', { l: { L: [{ S: 'ab' }, { BOOL: true }] } }, 1 + 3 + (1 + 2) + (1 + 1)],
  ['a map', { m: { M: { ab: { S: 'c' } } } }, 1 + 3 + 1 + 3],
])('counts %s', (_, item, bytes) => {
  expect(itemSize(item)).toBe(bytes);
});
