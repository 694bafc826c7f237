import type { Fault } from './fault.ts';
import { readAnswer } from './json-answer.ts';
import { connectionReset, requestTimedOut } from './wire-errors.ts';

/** How {@link dropResponse} loses the answer. */
export interface DropResponseOptions {
  /**
   * What the caller sees instead of the answer: `reset`, a broken connection (ECONNRESET); `timeout`, its own
   * request timeout (ETIMEDOUT); `hang`, nothing until its signal aborts. Default `reset`.
   */
  readonly as?: 'reset' | 'timeout' | 'hang';
}

/**
 * The server does what it was asked, and its answer is lost: the fault that makes a retry apply a write
 * twice, or report a write that was applied as refused.
 *
 * @example
 * const wire = faults(db.handler, [{ on: { op: 'UpdateItem', nth: 1 }, do: dropResponse() }]);
 */
export function dropResponse({ as = 'reset' }: DropResponseOptions = {}): Fault {
  return {
    name: 'dropResponse',
    async inject({ deliver }) {
      await readAnswer(await deliver());
      if (as === 'hang') return new Promise(() => {});
      throw as === 'timeout' ? requestTimedOut() : connectionReset();
    },
  };
}
