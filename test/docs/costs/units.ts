import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { itemSize } from '../../../src/dynamo/item-size.ts';

type Item = Record<string, AttributeValue>;

/**
 * The write units of one item outside a transaction: one per KB, rounded up, of the largest that it is before or
 * after; one where there is none. Source: DynamoDB developer guide, «Capacity unit consumption for write operations».
 */
export function writeUnits(...images: readonly (Item | undefined)[]): number {
  const bytes = images.map((item) => (item === undefined ? 0 : itemSize(item)));
  return Math.max(1, Math.ceil(Math.max(...bytes) / 1024));
}

/** How many bytes of a stored item are the library's. */
export function hiddenBytes(item: Item | undefined): number {
  return itemSize(
    Object.fromEntries(Object.entries(item ?? {}).filter(([name]) => name.startsWith('_fence'))),
  );
}
