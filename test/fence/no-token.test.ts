import { expect, it } from 'vitest';
import { fence } from '../../src/fence/fence.ts';

it.each<[unknown, RegExp, RegExp]>([
  [
    '3f2c8a1e-0d4b-4c6a-9e1f-5b7d2a8c3e90',
    /neither a UUID nor a hash has an order/,
    /counter that the issuer/,
  ],
  ['3F2C8A1E0D4B4C6A9E1F5B7D2A8C3E90', /neither a UUID nor a hash has an order/, /counter that the issuer/],
  ['0x2a', /hexadecimal is not ordered/, /BigInt/],
  ['deadbeef', /hexadecimal is not ordered/, /hash or an ETag/],
  ['42.5', /no plain decimal integer/, /digits alone/],
  ['+42', /no plain decimal integer/, /digits alone/],
  ['1e3', /no plain decimal integer/, /digits alone/],
  ['007', /leading zeros/, /digits alone/],
  ['9007199254740992', /neither JavaScript nor JSON/, /Subtract a constant/],
  ['9223372036854775808', /neither JavaScript nor JSON/, /Subtract a constant/],
  [9007199254740992n, /neither JavaScript nor JSON/, /Subtract a constant/],
  [9007199254740992, /numbers of JavaScript are rounded/, /as text or as a bigint/],
  [1.5, /a fraction is rounded/, /whole milliseconds/],
  [Number.NaN, /counts nothing/, /counter/],
  [Number.POSITIVE_INFINITY, /counts nothing/, /counter/],
  [-1, /below 0/, /counter/],
  ['-1', /below 0/, /counter/],
  [-1n, /below 0/, /counter/],
  ['etag', /no number/, /only unique/],
  ['', /no number/, /counter/],
  [{}, /no number/, /counter/],
  [undefined, /no number/, /counter/],
])('fence() refuses %o, says why, and what to use instead', (token, why, instead) => {
  const make = () => fence('account/a1', token);
  expect(make).toThrow(expect.objectContaining({ code: 'invalid-input', path: 'token' }));
  expect(make).toThrow(why);
  expect(make).toThrow(instead);
});
