import { describe, expect, it } from 'vitest';
import { sessionOf } from '../../src/fence/fence.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { fence, isFenced, isFencingError } from '../../src/index.ts';
import { nextStamp, versionOf } from '../../src/kernel.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { granted } from '../support/fences.ts';

describe('nextStamp', () => {
  it('counts the requests of a lease', () => {
    const lease = granted('account/a1', 42);
    const stamps = [nextStamp(lease), nextStamp(lease)];
    const { resource, token, holder } = lease;
    expect(stamps).toEqual([
      { resource, token, holder, seq: 1, kind: 'lease' },
      { resource, token, holder, seq: 2, kind: 'lease' },
    ]);
  });

  it('shares the count with everybody who writes under the lease', () => {
    const lease = granted('account/a1', 42);
    sessionOf(lease).nextStamp();
    expect(nextStamp(lease).seq).toBe(2);
  });

  it('gives each bare fence a holder of its own', () => {
    const [a, b] = [nextStamp(fence('r', 42)), nextStamp(fence('r', 42))];
    expect([a.kind, a.seq, b.seq]).toEqual(['bare', 1, 1]);
    expect(a.holder).not.toBe(b.holder);
  });

  it('takes the number that a caller gave, once', () => {
    const numbered = fence('r', 42, { holder: 'worker-1', seq: 7 });
    expect(nextStamp(numbered)).toMatchObject({ holder: 'worker-1', seq: 7, kind: 'numbered' });
    expect(() => nextStamp(numbered)).toThrow(invalidInput('fence', /already used/));
  });

  it('throws once the lease was released', () => {
    const lease = granted('r', 42);
    sessionOf(lease).markReleased();
    expect(() => nextStamp(lease)).toThrow(expect.objectContaining({ code: 'lease-released' }));
  });

  it('throws once the fence is known to be fenced, with what was seen', () => {
    const lease = granted('r', 42);
    sessionOf(lease).markFenced({ lastToken: fencingToken(43), lastHolder: 'them' });
    const error = thrownBy(() => nextStamp(lease));
    expect(isFenced(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'fenced',
      result: { lastToken: 43, lastHolder: 'them', applied: 'no' },
    });
  });

  it.each([undefined, null, {}, { resource: 'r', token: 42, holder: 'h' }, 42])(
    'refuses %j, which is no fence',
    (value) => {
      const error = thrownBy(() => nextStamp(value as never));
      expect(isFencingError(error)).toBe(true);
      expect(error).toEqual(invalidInput('fence', /neither a lease nor/));
    },
  );

  it('refuses a copy of a lease: it would count for itself', () => {
    expect(() => nextStamp({ ...granted('r', 42) })).toThrow(invalidInput('fence', /neither a lease nor/));
  });
});

it('a version tells one write from every other', () => {
  const lease = granted('r', 42);
  const versions = [versionOf(nextStamp(lease)), versionOf(nextStamp(lease))];
  expect(versions).toEqual([`42.1.${lease.holder}`, `42.2.${lease.holder}`]);
});

function thrownBy(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (error) {
    return error;
  }
  throw new Error('it did not throw');
}
