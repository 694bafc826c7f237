/**
 * What the attributes are called that every write of the library must be conditional on: the fence of an item,
 * the token and the holder of a lease row.
 *
 * @typedef {{ readonly [attribute in 'fence' | 'token' | 'holder']: readonly string[] }} GuardedNames
 *
 * @typedef {{
 *   readonly Item?: Readonly<Record<string, unknown>>,
 *   readonly UpdateExpression?: string,
 *   readonly ConditionExpression?: string,
 *   readonly ExpressionAttributeNames?: Readonly<Record<string, string>>,
 * }} Write
 *
 * A request as its bytes say it.
 *
 * @typedef {{ readonly op: string, readonly input: Readonly<Record<string, any>> }} SentRequest
 */

/** @type {GuardedNames} */
export const defaultGuardedNames = { fence: ['_fence'], token: ['token'], holder: ['holder'] };

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems', 'DescribeTable']);

/**
 * What is wrong with a request that the library sent, judged from its bytes alone; undefined where nothing is.
 * Deliberately shares no code with what builds the requests.
 *
 * @param {SentRequest} request
 * @param {GuardedNames} names
 * @returns {string | undefined}
 */
export function faultOf({ op, input }, names) {
  if (reads.has(op)) return staleRead(op, input);
  if (op === 'PutItem' || op === 'UpdateItem') return faultOfWrite(op, input, names);
  if (op !== 'TransactWriteItems') return `${op} must never be sent`;
  /** @type {Record<string, Write>[]} */
  const actions = input.TransactItems;
  for (const [index, action] of actions.entries()) {
    const [kind, write] = Object.entries(action)[0] ?? ['nothing', {}];
    const fault =
      kind === 'Put' || kind === 'Update' || kind === 'ConditionCheck'
        ? faultOfWrite(kind, write, names)
        : `${kind} must never be sent`;
    if (fault !== undefined) return `action ${index}: ${fault}`;
  }
  return undefined;
}

/**
 * A fence or a lease row must never be judged on an old copy. Lists may be eventually consistent.
 *
 * @param {string} op
 * @param {SentRequest['input']} input
 */
function staleRead(op, input) {
  const consistent =
    op === 'GetItem'
      ? input.ConsistentRead === true
      : op === 'BatchGetItem'
        ? Object.values(input.RequestItems).every((table) => table.ConsistentRead === true)
        : true;
  return consistent ? undefined : `${op} without ConsistentRead`;
}

/**
 * @param {string} kind
 * @param {Write} write
 * @param {GuardedNames} names
 */
function faultOfWrite(kind, write, names) {
  if (write.ConditionExpression === undefined) return `${kind} without a ConditionExpression`;
  const conditional = namesIn(write.ConditionExpression, write);
  /** @param {readonly string[]} wanted */
  const mentions = (wanted) => wanted.some((name) => conditional.has(name));

  if (mentions(names.fence)) {
    if (kind === 'ConditionCheck') return undefined;
    const written = write.Item ? new Set(Object.keys(write.Item)) : namesIn(write.UpdateExpression, write);
    return names.fence.some((name) => written.has(name)) ? undefined : `${kind} that leaves no fence`;
  }
  if (mentions(names.token)) return undefined;
  // Who gives up waiting does not know which token it may have been granted: it ends its own grant only.
  const givesUp = /^\s*REMOVE\s[^=]*$/i.test(write.UpdateExpression ?? '') && mentions(names.holder);
  const removed = namesIn(write.UpdateExpression, write);
  if (givesUp && !names.token.some((name) => removed.has(name))) return undefined;
  return `${kind} whose condition names neither a fence nor a token: ${write.ConditionExpression}`;
}

/**
 * @param {string | undefined} expression
 * @param {Write} write
 */
function namesIn(expression, { ExpressionAttributeNames = {} }) {
  const words = expression?.match(/[#:]?\w+/g) ?? [];
  return new Set(words.map((word) => ExpressionAttributeNames[word] ?? word));
}
