import { type Fault, respond } from '../../src/testing/index.ts';
import type { Item } from './bank.ts';

/** Why an action stood in the way: a code alone, or a failed condition with what it was judged on. */
export type Reason = string | Item;

/** A transaction that the service cancels, for a reason per action: `None`, another code, or the item that failed. */
export function cancelled(...reasons: readonly Reason[]): Fault {
  const CancellationReasons = reasons.map((reason) =>
    typeof reason === 'string' ? { Code: reason } : { Code: 'ConditionalCheckFailed', Item: reason },
  );
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  return respond({
    name: 'TransactionCanceledException',
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    members: { CancellationReasons },
  });
}
