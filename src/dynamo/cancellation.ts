import type { Item } from './attributes.ts';

/** What one action had to do with the cancellation of its transaction. */
export interface CancellationReason {
  /** `None` for an action that did not stand in the way. */
  readonly code: string;
  /** What the condition was judged on, where there was something and the engine shows it. */
  readonly item: Item | undefined;
}

/** The reasons of a TransactionCanceledException, in the order of the actions; none where it gives none. */
export function cancellationReasons(error: unknown): readonly CancellationReason[] {
  const { CancellationReasons = [] } = (error ?? {}) as {
    CancellationReasons?: readonly { Code?: string; Item?: Item }[];
  };
  return CancellationReasons.map(({ Code = 'None', Item }) => ({ code: Code, item: Item }));
}

export const CONDITION_FAILED = 'ConditionalCheckFailed';

/** What turned an action away before its condition was looked at. Another copy may pass. */
export const turnedAway: ReadonlyMap<string, 'conflict' | 'throttled'> = new Map([
  ['TransactionConflict', 'conflict'],
  ['ProvisionedThroughputExceeded', 'throttled'],
  ['ThrottlingError', 'throttled'],
  ['RequestLimitExceeded', 'throttled'],
]);

/**
 * What a cancellation says about the copy that met it. A failed condition comes first: it alone can say that
 * an earlier copy was applied. So does a cancellation without any reason, which has to be looked into.
 */
export function classifyCancellation(error: unknown): 'refused' | 'throttled' | 'conflict' | 'fault' {
  const codes = cancellationReasons(error)
    .map(({ code }) => code)
    .filter((code) => code !== 'None');
  if (codes.length === 0 || codes.includes(CONDITION_FAILED)) return 'refused';
  const ways = codes.map((code) => turnedAway.get(code) ?? 'fault');
  if (ways.includes('fault')) return 'fault';
  return ways.includes('throttled') ? 'throttled' : 'conflict';
}
