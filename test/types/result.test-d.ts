import { describe, expect, test } from 'tstyche';
import type { WriteResult } from '../../src/fence/result.ts';

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
