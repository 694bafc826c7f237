import { describe, expect, test } from 'tstyche';
import {
  type FencingErrorCode,
  type FencingToken,
  fencedIn,
  isFenced,
  isFencingError,
  isOutcomeUnknown,
  type WriteResult,
} from '../../src/index.ts';

declare const result: WriteResult<{ id: string; balance: number }>;

describe('the result of a write', () => {
  test('has no item before `ok` was asked', () => {
    // @ts-expect-error Property 'item' does not exist on type 'WriteResult<{ id: string; balance: number; }>'
    result.item;
  });

  test('has the item after `ok`', () => {
    if (result.ok) expect(result.item.balance).type.toBe<number>();
  });

  test('names both tokens when it was fenced', () => {
    if (!result.ok && result.reason === 'fenced') {
      expect(result.lastToken).type.toBe(result.token);
    }
  });
});

describe('an error that was caught', () => {
  const error: unknown = undefined;

  test('has one of the codes that there are', () => {
    if (isFencingError(error)) {
      expect(error.code).type.toBe<FencingErrorCode>();
      // @ts-expect-error no overlap
      error.code === 'fence';
    }
  });

  test('is not taken for the one that it was wrapped around', () => {
    if (isFenced(error)) expect(error).type.toBe<unknown>();
    expect(fencedIn(error)?.result.lastToken).type.toBe<FencingToken | undefined>();
  });

  test('is resolved to what the call would have answered', () => {
    if (isOutcomeUnknown<typeof result>(error)) expect(error.resolve()).type.toBe<Promise<typeof result>>();
    if (isOutcomeUnknown(error)) expect(error.resolve()).type.toBe<Promise<unknown>>();
  });
});
