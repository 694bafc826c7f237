import type { AttributeValue } from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

const stamp = {
  _fence: { N: '41' },
  _fenceHolder: { S: 'before' },
  _fenceSeq: { N: '7' },
} satisfies Item;

/** An item as a write under token 41 has left it. */
export function live(item: Item): Item {
  return { ...item, ...stamp, _fenceVersion: { S: '41.7.before' } };
}

/** What a delete under token 41 has left of an item. */
export function tombstone(key: Item): Item {
  return { ...key, ...stamp };
}
