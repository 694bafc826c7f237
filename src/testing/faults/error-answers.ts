import type { Fault } from './fault.ts';
import { errorAnswer, readAnswer } from './json-answer.ts';

/** The error that {@link respond} answers with. */
export interface ErrorResponse {
  /** Default 400. */
  readonly statusCode?: number;
  /** The error as the SDK names it: `ValidationException`. */
  readonly name: string;
  readonly message?: string;
  /** What the error carries beside its message, as `{ CancellationReasons: […] }`. */
  readonly members?: object;
  /** Whether the server has done what it was asked before the error is answered. Default false. */
  readonly applied?: boolean;
}

/** Answers with an error of your choice, as the service words it. */
export function respond(error: ErrorResponse): Fault {
  const { statusCode = 400, name, message = `${name} (injected)`, members, applied = false } = error;
  return {
    name: 'respond',
    async inject({ deliver }) {
      if (applied) await readAnswer(await deliver());
      return errorAnswer(statusCode, name, message, members);
    },
  };
}

/** Which 5xx {@link serverError} answers with. */
export interface ServerErrorOptions {
  /** Default 500. */
  readonly statusCode?: 500 | 503;
  /** Whether the server has done what it was asked before it answers. Default false. */
  readonly applied?: boolean;
}

/**
 * A 5xx. «When you receive a status code 500 on a write operation, the operation may have succeeded or
 * failed» (DynamoDB developer guide, Programming.Errors): `applied` says which of the two.
 */
export function serverError({ statusCode = 500, applied = false }: ServerErrorOptions = {}): Fault {
  const name = statusCode === 500 ? 'InternalServerError' : 'ServiceUnavailableException';
  return { ...respond({ statusCode, name, applied }), name: 'serverError' };
}

/** Which error {@link throttle} answers with. */
export interface ThrottleOptions {
  /** Which of the throttling errors. Default `ProvisionedThroughputExceededException`. */
  readonly name?: 'ProvisionedThroughputExceededException' | 'ThrottlingException' | 'RequestLimitExceeded';
}

/** Turned away by throttling, before anything was evaluated. */
export function throttle({ name = 'ProvisionedThroughputExceededException' }: ThrottleOptions = {}): Fault {
  return { ...respond({ name }), name: 'throttle' };
}

/**
 * Turned away because a transaction holds the item: `TransactionConflictException`, or, for a transaction, its
 * cancellation with `TransactionConflict` as the reason of its first action.
 */
export function conflict(): Fault {
  const message = 'Transaction is ongoing for the item';
  return {
    name: 'conflict',
    async inject({ request: { op, input } }) {
      if (op !== 'TransactWriteItems') return errorAnswer(400, 'TransactionConflictException', message);
      const actions = (input.TransactItems ?? []) as readonly unknown[];
      const reasons = actions.map((_, index) =>
        index === 0 ? { Code: 'TransactionConflict', Message: message } : { Code: 'None' },
      );
      const codes = reasons.map(({ Code }) => Code).join(', ');
      return errorAnswer(
        400,
        'TransactionCanceledException',
        `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
        { CancellationReasons: reasons },
      );
    },
  };
}
