import { sleep } from '../../fence/clock.ts';
import type { Answer, Fault, Passage } from './fault.ts';
import { readAnswer } from './json-answer.ts';

/** When a late copy arrives: after so many later requests were answered, after some time, or when you say so. */
export type Moment = { readonly requests: number } | { readonly ms: number } | PromiseLike<unknown>;

/** What {@link duplicate} sends, and when. */
export interface DuplicateOptions {
  /** When the copy arrives. Default `{ requests: 1 }`: after the next request. */
  readonly after?: Moment;
  /** How many copies arrive then, one after the other. Default 1. */
  readonly copies?: number;
}

/** A fault that sends copies later. */
export interface Duplicate extends Fault {
  /** The answers to the late copies so far, in the order of arrival: status and body. Nobody else sees them. */
  readonly answers: readonly { readonly statusCode: number; readonly body: string }[];
}

/**
 * The network keeps a copy of the request and delivers it once more later, after other requests. The caller
 * gets the answer to the first copy at once, and never hears of the second.
 *
 * @example
 * const wire = faults(db.handler, [{ on: { op: 'UpdateItem', nth: 1 }, do: duplicate({ after: { requests: 2 } }) }]);
 */
export function duplicate({ after = { requests: 1 }, copies = 1 }: DuplicateOptions = {}): Duplicate {
  const answers: { statusCode: number; body: string }[] = [];
  return {
    name: 'duplicate',
    answers,
    inject(passage): Promise<Answer> {
      // Armed before the first copy leaves, so that no later request is missed.
      const late = moment(after, passage).then(async () => {
        for (let copy = 0; copy < copies; copy++) {
          const answer = await passage.deliver();
          const body = await readAnswer(answer);
          answers.push({ statusCode: answer.response.statusCode, body: body.toString() });
        }
      });
      void passage.keep(late).catch(() => undefined);
      return passage.deliver();
    },
  };
}

async function moment(after: Moment, { clock, passed }: Passage): Promise<void> {
  if ('then' in after) await after;
  else if ('ms' in after) await sleep(clock, after.ms);
  else await passed(after.requests);
}
