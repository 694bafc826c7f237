import { describe, expect, it } from 'vitest';
import {
  FencedError,
  fencedIn,
  fencingToken,
  InvalidInputError,
  isFenced,
  isOutcomeUnknown,
  LeaseExpiredError,
  OutcomeUnknownError,
  UnavailableError,
} from '../../src/index.ts';

const fenced = new FencedError({
  ...{ ok: false, reason: 'fenced', resource: 'r', applied: 'no' },
  ...{ token: fencingToken(41), holder: 'me', lastToken: fencingToken(42), lastHolder: 'them' },
});
const wrapped = (cause: unknown) => new Error('the payout failed', { cause });

describe('that a newer token was seen', () => {
  it.each([
    ['is said by the error itself', fenced],
    ['is found behind a wrapper', wrapped(fenced)],
    ['is found behind several', wrapped(wrapped(fenced))],
  ])('%s', (_, error) => {
    expect(isFenced(error)).toBe(true);
    expect(fencedIn(error)).toBe(fenced);
  });

  // The signal of a lease that was fenced can end a call of which nobody knows whether it was applied.
  it.each([
    ['an unknown outcome', new OutcomeUnknownError('It was sent.', async () => 1, { cause: fenced })],
    ['an outage', new UnavailableError('It was not sent.', { cause: fenced })],
    ['a lease that is over', new LeaseExpiredError('r', { cause: fenced })],
    ['an input that is refused', new InvalidInputError('item', 'no', 'Leave it.', { cause: fenced })],
  ])('is not said by %s, whatever caused it', (_, error) => {
    for (const one of [error, wrapped(error)]) {
      expect(isFenced(one)).toBe(false);
      expect(fencedIn(one)).toBeUndefined();
    }
  });

  it.each([undefined, null, 42, 'fenced', { code: 'fenced' }, new Error('no')])(
    'is not said by %o',
    (error) => {
      expect(isFenced(error)).toBe(false);
      expect(fencedIn(error)).toBeUndefined();
    },
  );

  it('is looked for once in errors that cause each other', () => {
    const [one, other] = [new Error('one'), new Error('other')];
    one.cause = other;
    other.cause = one;
    expect(isFenced(one)).toBe(false);
  });
});

it('an unknown outcome is told from what it caused', () => {
  const unknown = new OutcomeUnknownError('It was sent.', async () => 1);
  expect(isOutcomeUnknown(unknown)).toBe(true);
  expect(isOutcomeUnknown(wrapped(unknown))).toBe(false);
});
