import { type Deadline, DeadlineReached } from '../fence/deadline.ts';
import { isFencingError, UnavailableError } from '../fence/errors.ts';
import type { Request } from './send.ts';

/**
 * What kept a request from its answer.
 * - `unreached`: nobody was there to take it, or it could not be made.
 * - `late`: it was never sent, because something before it took the whole time of the call.
 * - `throttled`, `conflict`: it was turned away each time.
 * - `unanswered`: it was sent, and only a read: no answer came, which changes nothing.
 */
export type Obstacle = 'unreached' | 'late' | 'throttled' | 'conflict' | 'unanswered';

const whatHappened: Readonly<Record<Obstacle, string>> = {
  unreached: 'did not get through',
  late: 'was not sent',
  throttled: 'was turned away by throttling',
  conflict: 'was turned away, because another request held the item',
  unanswered: 'was not answered',
};

const whatToDo: Readonly<Record<Obstacle, string>> = {
  unreached: 'Check the endpoint, the network and the credentials, then call again.',
  late: 'Find out what kept it waiting (credentials, region and endpoint may be looked up), then call again, with a longer timeoutMs if need be.',
  throttled:
    'Call again a little later. If it goes on, raise the capacity of the table, or spread what is hot over more items.',
  conflict: 'Call again: a transaction holds an item for a moment only.',
  unanswered: 'Call again, with a longer timeoutMs if it needs more time.',
};

/** The error of a request that provably changed nothing, with the next step that fits what was in its way. */
export function unavailable(request: Request, obstacle: Obstacle, cause: unknown): UnavailableError {
  const why = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new UnavailableError(`${inWords(request)} ${whatHappened[obstacle]}: ${why}.`, {
    cause,
    advice: whatToDo[obstacle],
  });
}

/** Why a wait ended that nothing else has ended: the caller's own reason, or the error of a read that took too long. */
export function waitEnded(request: Request, deadline: Deadline): unknown {
  const { reason } = deadline.signal;
  return reason instanceof DeadlineReached ? unavailable(request, 'unanswered', reason) : reason;
}

/** What an error was caused by: the SDK's own error, for those who report it under a name of theirs. */
export function beneath(error: unknown): unknown {
  return isFencingError(error) && error.code === 'unavailable' && error.cause !== undefined
    ? error.cause
    : error;
}

/** As `Query of accounts`. */
function inWords({ op, input }: Request): string {
  return `${op} of ${[...new Set(tablesOf(input))].join(', ')}`;
}

function tablesOf(input: Request['input']): readonly (string | undefined)[] {
  if ('RequestItems' in input) return Object.keys(input.RequestItems ?? {});
  if (!('TransactItems' in input)) return [input.TableName];
  return (input.TransactItems ?? []).flatMap((item) =>
    Object.values(item).map((action: { readonly TableName: string | undefined }) => action.TableName),
  );
}
