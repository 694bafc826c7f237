import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';

/**
 * How many bytes an item takes, as DynamoDB counts: names and text in UTF-8, a number by its digits, a map or a
 * list by what is in it and 3 bytes, with 1 more for each element. Source: DynamoDB developer guide, «DynamoDB
 * item sizes and formats».
 */
export function itemSize(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOf(value),
    0,
  );
}

function sizeOf(value: AttributeValue): number {
  const { S, N, B, SS, NS, BS, M, L } = value;
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return numberSize(N);
  if (B !== undefined) return B.length;
  if (SS !== undefined) return total(SS, Buffer.byteLength);
  if (NS !== undefined) return total(NS, numberSize);
  if (BS !== undefined) return total(BS, (bytes) => bytes.length);
  if (M !== undefined) return 3 + Object.keys(M).length + itemSize(M);
  if (L !== undefined) return 3 + total(L, (element) => 1 + sizeOf(element));
  return 1;
}

// «Approximately (number of digits / 2) + 1».
function numberSize(text: string): number {
  return Math.ceil(text.replace(/[eE].*$|\D/g, '').length / 2) + 1;
}

function total<V>(values: readonly V[], size: (value: V) => number): number {
  return values.reduce((sum, value) => sum + size(value), 0);
}
