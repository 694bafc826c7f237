import { readAnswer } from '../../../src/testing/faults/json-answer.ts';
import { connectionReset } from '../../../src/testing/faults/wire-errors.ts';
import type { Fault } from '../../../src/testing/index.ts';

/** What became of a copy that arrived late: the error that it was answered with, or nothing. */
export type Arrival = 'applied' | 'refused';

export interface Straggler extends Fault {
  /** Lets the copy arrive, and tells what became of it. Nobody else hears of it. */
  arrive(): Promise<Arrival>;
}

/**
 * The sender sees a broken connection at once, while its copy is still on its way: the copy whose fate is open.
 * For one request.
 */
export function straggler(): Straggler {
  let deliver: (() => Promise<Arrival>) | undefined;
  return {
    name: 'straggler',
    async inject(passage) {
      deliver = async () => {
        const answer = await passage.deliver();
        const body = (await readAnswer(answer)).toString();
        if (answer.response.statusCode === 200) return 'applied';
        if (body.includes('ConditionalCheckFailed')) return 'refused';
        throw new Error(body);
      };
      throw connectionReset();
    },
    async arrive() {
      if (deliver === undefined) throw new Error('nothing is on its way');
      return deliver();
    },
  };
}

/** Lets something else happen first, when the request is on its way already. */
export function overtakenBy(event: () => Promise<unknown>): Fault {
  return {
    name: 'overtaken',
    async inject({ deliver }) {
      await event();
      return deliver();
    },
  };
}
