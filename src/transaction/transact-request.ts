import { createHash } from 'node:crypto';
import type { TransactWriteItem, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { itemSize } from '../dynamo/item-size.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { Session, Stamp } from '../fence/session.ts';
import type { Action } from './actions.ts';
import { mergedAction } from './merge-checks.ts';

/** DynamoDB's limit for the items of a transaction together. */
const MOST_BYTES = 4 * 1024 * 1024;

/** DynamoDB's limit for a ClientRequestToken. */
const TOKEN_LENGTH = 36;

/** One stamp for everything that a fence does in one transaction. */
export type Stamps = ReadonlyMap<Session, Stamp>;

/** The stamp of a step's fence. */
export function stampIn(stamps: Stamps, session: Session): Stamp {
  const stamp = stamps.get(session);
  if (stamp === undefined) throw new Error('every fence of a transaction has a stamp');
  return stamp;
}

/**
 * The one request of a transaction. Pure: the same stamps give the same bytes, the ClientRequestToken included.
 *
 * @throws InvalidInputError where its items are larger than DynamoDB takes.
 */
export function transactRequest(actions: readonly Action[], stamps: Stamps): TransactWriteItemsCommandInput {
  const TransactItems = actions.map((action) =>
    mergedAction(action, ({ session }) => stampIn(stamps, session)),
  );
  checkSize(TransactItems, actions);
  return {
    TransactItems,
    ClientRequestToken: requestToken(TransactItems, stamps),
    // Tells a transaction that was carried out now from one that was carried out before, and is free.
    ReturnConsumedCapacity: 'TOTAL',
  };
}

// Derived, not drawn: whoever has the bytes has the token, and no two transactions have either in common, since
// no two have a stamp in common.
function requestToken(items: readonly TransactWriteItem[], stamps: Stamps): string {
  return createHash('sha256')
    .update(JSON.stringify([[...stamps.values()], items]))
    .digest('base64url')
    .slice(0, TOKEN_LENGTH);
}

function checkSize(items: readonly TransactWriteItem[], actions: readonly Action[]): void {
  const sizes = items.map(sentBytes);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes <= MOST_BYTES) return;
  const largest = actions[sizes.indexOf(Math.max(...sizes))]?.parts[0]?.path;
  throw new InvalidInputError(
    'steps',
    `their items have ${bytes} bytes together (the largest is that of ${largest}), and a transaction takes ${MOST_BYTES}`,
    'Split it, or keep large values elsewhere.',
  );
}

/** What an action certainly adds: of an item that is updated nobody knows the rest. */
function sentBytes({ Put, Update }: TransactWriteItem): number {
  if (Put?.Item !== undefined) return itemSize(Put.Item);
  if (Update === undefined) return 0;
  const assigned = new Set(Update.UpdateExpression?.match(/:\w+/g));
  const values = Object.entries(Update.ExpressionAttributeValues ?? {}).filter(([alias]) =>
    assigned.has(alias),
  );
  return itemSize({ ...Update.Key, ...Object.fromEntries(values) });
}
