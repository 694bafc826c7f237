import { type ApiError, errorName, isApiError, refusal } from './api-error.ts';

/** Why one action of a transaction stands in its way, or `None`. */
export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: unknown;
}

export const noReason: CancellationReason = { Code: 'None' };

/** The reason that an action's refusal gives. Whatever is no refusal of this one action is thrown on. */
export function reasonOf(error: unknown): CancellationReason {
  if (isApiError(error)) {
    const { message, Item } = error.body;
    const details = {
      ...(message === undefined ? {} : { Message: message }),
      ...(Item === undefined ? {} : { Item }),
    };
    if (errorName(error.body) === 'ConditionalCheckFailedException') {
      return { Code: 'ConditionalCheckFailed', ...details };
    }
    if (errorName(error.body) === 'ValidationException') return { Code: 'ValidationError', ...details };
  }
  throw error;
}

/** The end of a transaction that was not carried out: one reason per action, in their order. */
export function cancelled(reasons: readonly CancellationReason[]): ApiError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return refusal(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}
