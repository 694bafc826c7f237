import type { WireRequest } from '../../src/testing/index.ts';

/** What the attributes are called that every write of the library must be conditional on. */
export interface GuardedNames {
  /** The fence of an item. */
  readonly fence: readonly string[];
  /** The token of a lease row. */
  readonly token: readonly string[];
  /** The holder of a lease row. */
  readonly holder: readonly string[];
}

export const defaultGuardedNames: GuardedNames = { fence: ['_fence'], token: ['token'], holder: ['holder'] };

interface Write {
  readonly Item?: Readonly<Record<string, unknown>>;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
}

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems', 'DescribeTable']);

/**
 * What is wrong with a request that the library sent, judged from its bytes alone; undefined where nothing is.
 * Deliberately shares no code with what builds the requests.
 */
export function faultOf({ op, input }: WireRequest, names: GuardedNames): string | undefined {
  if (reads.has(op)) return staleRead(op, input);
  if (op === 'PutItem' || op === 'UpdateItem') return faultOfWrite(op, input, names);
  if (op !== 'TransactWriteItems') return `${op} must never be sent`;
  for (const [index, action] of (input.TransactItems as Record<string, Write>[]).entries()) {
    const [kind, write] = Object.entries(action)[0] ?? ['nothing', {}];
    const fault =
      kind === 'Put' || kind === 'Update' || kind === 'ConditionCheck'
        ? faultOfWrite(kind, write, names)
        : `${kind} must never be sent`;
    if (fault !== undefined) return `action ${index}: ${fault}`;
  }
  return undefined;
}

// A fence or a lease row must never be judged on an old copy. Lists may be eventually consistent.
function staleRead(op: string, input: WireRequest['input']): string | undefined {
  const consistent =
    op === 'GetItem'
      ? input.ConsistentRead === true
      : op === 'BatchGetItem'
        ? Object.values(input.RequestItems).every((table) => (table as typeof input).ConsistentRead === true)
        : true;
  return consistent ? undefined : `${op} without ConsistentRead`;
}

function faultOfWrite(kind: string, write: Write, names: GuardedNames): string | undefined {
  if (write.ConditionExpression === undefined) return `${kind} without a ConditionExpression`;
  const conditional = namesIn(write.ConditionExpression, write);
  const mentions = (wanted: readonly string[]) => wanted.some((name) => conditional.has(name));

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

function namesIn(expression: string | undefined, { ExpressionAttributeNames = {} }: Write): Set<string> {
  const words = expression?.match(/[#:]?\w+/g) ?? [];
  return new Set(words.map((word) => ExpressionAttributeNames[word] ?? word));
}
