import type { Item } from '../dynamo/attributes.ts';
import type { ContentReason } from '../dynamo/verdict.ts';
import type { NotFound, NotMet } from '../fence/result.ts';
import type { Table } from './table.ts';

/** The refusal of a content condition, with the item that did not meet it. */
export function refusal<T extends object, K extends keyof T, R extends Exclude<ContentReason, 'not-found'>>(
  table: Table<T, K>,
  reason: ContentReason,
  item: Item | undefined,
): NotFound | NotMet<T, R> {
  const seen = table.view(item);
  if (reason === 'not-found' || seen === undefined) return { ok: false, reason: 'not-found' };
  return { ok: false, reason: reason as R, ...seen };
}
