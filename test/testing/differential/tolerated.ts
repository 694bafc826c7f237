/** A request that the two engines answer differently, and why that is left as it is. */
export interface Tolerated {
  readonly local: string;
  readonly dynoxide: string;
  readonly reason: string;
}

const removesOnly =
  'An update that only removes creates nothing on AWS (scylladb/scylladb#5862 shows it); dynoxide stores the bare key.';
const unaliased =
  'A name that begins with an underscore needs an alias (Developer Guide, «Expression attribute names»); dynoxide takes it.';
const illegalEnum = 'The value is not in the API’s enumeration; dynoxide takes anything.';
const staticError =
  'AWS refuses an expression that cannot be parsed before it begins a transaction; dynoxide gives it as a reason.';
const timeToLive =
  'AWS refuses to set what is set already («TimeToLive is already enabled», met by many deployment tools); dynoxide does not mind.';

/** Every difference, by the title of its request: the outcome here, the outcome there, the reason. */
export const tolerated: Readonly<Record<string, Tolerated>> = {
  'update: only REMOVE read back': { local: 'ok', dynoxide: 'ok', reason: removesOnly },
  'update: only DELETE read back': { local: 'ok', dynoxide: 'ok', reason: removesOnly },
  'SET: index past the end': {
    local: 'ok',
    dynoxide: 'ok',
    reason:
      'An element beyond the end is appended (Developer Guide, «Update expressions»); dynoxide pads with NULL.',
  },
  'REMOVE: below nothing': {
    local: 'ValidationException',
    dynoxide: 'ok',
    reason:
      'A path below an attribute that is not there is refused (scylladb/scylladb#10043 tested it); dynoxide ignores it.',
  },
  'an underscore without alias': { local: 'ValidationException', dynoxide: 'ok', reason: unaliased },
  '_fence = :a': {
    local: 'ValidationException',
    dynoxide: 'ConditionalCheckFailedException',
    reason: unaliased,
  },
  'attribute_type(fence, :wrong)': {
    local: 'ValidationException',
    dynoxide: 'ConditionalCheckFailedException',
    reason: 'A type that does not exist is refused; dynoxide finds that the attribute is of another type.',
  },
  'filter: a whole map': {
    local: 'ok',
    dynoxide: 'ok',
    reason:
      'dynalite evaluates filters inside its streams, where documents are never equal; conditions of writes are put right.',
  },
  'table: a new index, billed per request': {
    local: 'ValidationException',
    dynoxide: 'ok',
    reason: 'dynalite demands a ProvisionedThroughput. A test can create its table with all indexes.',
  },
  'an illegal ReturnValuesOnConditionCheckFailure': {
    local: 'ValidationException',
    dynoxide: 'ok',
    reason: illegalEnum,
  },
  'number "+5"': {
    local: 'ValidationException',
    dynoxide: 'ok',
    reason: 'Documented nowhere, and no SDK writes it. dynalite refuses the sign, dynoxide drops it.',
  },
  'number "+5" read back': { local: 'ok', dynoxide: 'ok', reason: 'See above: stored there, refused here.' },
  'query: sort key of another type': {
    local: 'ValidationException',
    dynoxide: 'ok',
    reason: 'AWS compares the type with the schema and refuses; dynoxide finds nothing.',
  },
  'transaction: two actions in one member': {
    local: 'ValidationException',
    dynoxide: 'ok',
    reason:
      'Exactly one action is allowed (TransactWriteItem, API Reference); dynoxide drops the second unseen.',
  },
  'transaction: an expression without sense': {
    local: 'ValidationException',
    dynoxide: 'TransactionCanceledException',
    reason: staticError,
  },
  'transaction: an unused value': {
    local: 'ValidationException',
    dynoxide: 'TransactionCanceledException',
    reason: staticError,
  },
  'transaction: an illegal ReturnValuesOnConditionCheckFailure': {
    local: 'ValidationException',
    dynoxide: 'ok',
    reason: illegalEnum,
  },
  'transaction: capacity': {
    local: 'ok',
    dynoxide: 'ok',
    reason: 'dynalite counts the table’s units only; dynoxide adds one for the index entry that is written.',
  },
  'transaction get: projection': {
    local: 'ok',
    dynoxide: 'ok',
    reason: 'A projection gives what it names, as in GetItem; dynoxide adds the key.',
  },
  'time to live: enable again': { local: 'ValidationException', dynoxide: 'ok', reason: timeToLive },
  'time to live: disable again': { local: 'ValidationException', dynoxide: 'ok', reason: timeToLive },
};
