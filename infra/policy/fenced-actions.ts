/** Takes no condition at all, or need not have one: no role that writes to a fenced table may do it. */
export const unfenceableWrites = [
  'dynamodb:BatchWriteItem',
  'dynamodb:PartiQLInsert',
  'dynamodb:PartiQLUpdate',
  'dynamodb:PartiQLDelete',
  // A hard delete forgets the fence. The library puts a tombstone instead.
  'dynamodb:DeleteItem',
] as const;

/** Would let items expire, and their fences with them. */
export const expiryChanges = ['dynamodb:UpdateTimeToLive'] as const;

/**
 * Would take away what keeps fences: the table with all of them; that it is in one Region, and protected from deletion (UpdateTable);
 * the denials of its resource policy; the tag that the boundary tells it by.
 */
export const guardChanges = [
  'dynamodb:DeleteTable',
  'dynamodb:UpdateTable',
  'dynamodb:PutResourcePolicy',
  'dynamodb:DeleteResourcePolicy',
  'dynamodb:TagResource',
  'dynamodb:UntagResource',
] as const;

/** What a fenced write is sent as; alone, or in a transaction, which is authorised as its parts. */
export const fencedWrites = ['dynamodb:PutItem', 'dynamodb:UpdateItem'] as const;

/** What a repository reads with. */
export const itemReads = [
  'dynamodb:GetItem',
  'dynamodb:BatchGetItem',
  'dynamodb:Query',
  'dynamodb:Scan',
  // Before its first query of an index a repository looks up what the index projects.
  'dynamodb:DescribeTable',
] as const;
