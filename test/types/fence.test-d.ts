import { describe, expect, test } from 'tstyche';
import { type Fence, fence } from '../../src/fence/fence.ts';
import { type FencingToken, fencingToken } from '../../src/fence/token.ts';

const uuid = '3f2c9a1e-8d1c-4e0b-9f5e-2a6d1c0b7f3a';

describe('a fence', () => {
  test('is what fence() makes', () => {
    expect(fence('account/a1', 42)).type.toBe<Fence>();
    expect(fence('account/a1', '42', { holder: 'importer', seq: 7 })).type.toBe<Fence>();
  });

  test('carries a checked token: no bare number, no UUID', () => {
    expect<FencingToken>().type.toBeAssignableFrom(fencingToken(42));
    expect<FencingToken>().type.not.toBeAssignableFrom(42);
    expect<FencingToken>().type.not.toBeAssignableFrom(uuid);
  });

  test('is no object that merely looks like one', () => {
    expect<Fence>().type.not.toBeAssignableFrom({ resource: 'account/a1', token: 42, holder: 'me' });
    expect<Fence>().type.not.toBeAssignableFrom({ resource: 'account/a1', token: uuid, holder: 'me' });
  });
});
