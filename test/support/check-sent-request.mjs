/**
 * What the attributes are called that every write of the library must be conditional on: the fence of an item,
 * the token and the holder of a lease row.
 *
 * @typedef {{ readonly [attribute in 'fence' | 'token' | 'holder']: readonly string[] }} GuardedNames
 *
 * @typedef {{
 *   readonly Key?: Readonly<Record<string, unknown>>,
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
    if (!isGuarded(kind, write, names.fence)) return leavesOpen(kind, write);
    if (kind === 'ConditionCheck') return undefined;
    const written = write.Item ? new Set(Object.keys(write.Item)) : namesIn(write.UpdateExpression, write);
    return names.fence.some((name) => written.has(name)) ? undefined : `${kind} that leaves no fence`;
  }
  // Who gives up waiting does not know which token it may have been granted: it ends its own grant only.
  const removes = /^\s*REMOVE\s[^=]*$/i.test(write.UpdateExpression ?? '');
  const givesUp = removes && compares(write.ConditionExpression, write, names.holder);
  const removed = namesIn(write.UpdateExpression, write);
  if (givesUp && !names.token.some((name) => removed.has(name))) return undefined;
  if (mentions(names.token)) {
    return isGuarded(kind, write, names.token) ? undefined : leavesOpen(kind, write);
  }
  return `${kind} whose condition names neither a fence nor a token: ${write.ConditionExpression}`;
}

/**
 * @param {string} kind
 * @param {Write} write
 */
function leavesOpen(kind, write) {
  return `${kind} whose condition may hold whatever the fence or the token is: ${write.ConditionExpression}`;
}

/**
 * Whether a condition can only hold where the fence was compared with ours, or where there is none.
 *
 * @param {string} kind
 * @param {Write} write
 * @param {readonly string[]} wanted what the fence is called.
 */
function isGuarded(kind, write, wanted) {
  const condition = write.ConditionExpression ?? '';
  if (compares(condition, write, wanted)) return true;
  // A claim that adopts: the one write that has no fence to compare with.
  const terms = parts(condition, 'OR').length === 1 ? parts(condition, 'AND') : [];
  return kind.startsWith('Update') && terms.some((term) => isAbsent(term, write, wanted));
}

/**
 * @param {string} condition
 * @param {Write} write
 * @param {readonly string[]} wanted
 * @returns {boolean}
 */
function compares(condition, write, wanted) {
  const alternatives = parts(condition, 'OR');
  if (alternatives.length > 1) {
    const keys = Object.keys(write.Key ?? write.Item ?? {});
    const rest = alternatives.filter((one) => !isAbsent(one, write, [...wanted, ...keys]));
    return rest.length > 0 && rest.every((one) => compares(one, write, wanted));
  }
  const terms = parts(condition, 'AND');
  if (terms.length > 1) return terms.some((term) => compares(term, write, wanted));
  const [, name] = /^(#?\w+) *(?:<|=) *:\w+$/.exec((terms[0] ?? '').trim()) ?? [];
  return name !== undefined && wanted.includes(write.ExpressionAttributeNames?.[name] ?? name);
}

/**
 * @param {string} condition
 * @param {Write} write
 * @param {readonly string[]} wanted
 */
function isAbsent(condition, write, wanted) {
  const [term = '', ...more] = parts(condition, 'AND');
  if (more.length > 0) return false;
  const [, name] = /^attribute_not_exists *\( *(#?\w+) *\)$/.exec(term.trim()) ?? [];
  return name !== undefined && wanted.includes(write.ExpressionAttributeNames?.[name] ?? name);
}

/** @type {Map<string, string[]>} */
const known = new Map();

/**
 * As {@link split}, which is done once for a condition: a simulation sends the same few ten thousand times.
 *
 * @param {string} condition
 * @param {'AND' | 'OR'} word
 * @returns {string[]}
 */
function parts(condition, word) {
  const asked = `${word} ${condition}`;
  const found = known.get(asked) ?? split(condition, word);
  known.set(asked, found);
  return found;
}

/**
 * What a condition joins by a word, outside of parentheses; without those around the whole of it. The AND of a BETWEEN
 * is taken for one of its own: neither half is a comparison then.
 *
 * @param {string} condition
 * @param {'AND' | 'OR'} word
 * @returns {string[]}
 */
function split(condition, word) {
  /** @type {string[]} */
  const found = [];
  let [depth, start, closes] = [0, 0, 0];
  for (const { 0: token, index } of condition.matchAll(/[()]|\b(?:AND|OR)\b/gi)) {
    if (token === '(') depth++;
    else if (token === ')') {
      depth--;
      if (depth === 0 && closes === 0) closes = index;
    } else if (depth === 0 && token.toUpperCase() === word) {
      found.push(condition.slice(start, index));
      start = index + token.length;
    }
  }
  found.push(condition.slice(start));
  const whole = condition.trim();
  const isPair = whole.startsWith('(') && closes === condition.trimEnd().length - 1;
  return isPair ? split(whole.slice(1, -1), word) : found;
}

/**
 * @param {string | undefined} expression
 * @param {Write} write
 */
function namesIn(expression, { ExpressionAttributeNames = {} }) {
  const words = expression?.match(/[#:]?\w+/g) ?? [];
  return new Set(words.map((word) => ExpressionAttributeNames[word] ?? word));
}
