import { describe, expect, it } from 'vitest';
import { Deadline } from '../../src/fence/deadline.ts';
import { type OutcomeUnknownError, UnavailableError } from '../../src/fence/errors.ts';
import type { Applied } from '../../src/fence/result.ts';
import { untilDecided } from '../../src/lease/until-decided.ts';
import { manualClock, seededRandom } from '../../src/testing/index.ts';

type Outcome = Applied | 'done';

/** A step that meets these outcomes one after the other, the last one for ever, within 100 ms. */
async function step(outcomes: readonly Outcome[], resolve = async (): Promise<string> => 'resolved') {
  const clock = manualClock();
  using deadline = new Deadline(clock, { timeoutMs: 100 });
  const met = [...outcomes];
  const work = untilDecided({ clock, random: seededRandom(1) }, deadline, {
    name: 'The step',
    ask: async () => {
      const outcome = met.length > 1 ? met.shift() : met[0];
      if (outcome === 'done') return { is: 'done' } as const;
      return { is: 'undecided', applied: outcome ?? 'no', error: new Error(outcome) } as const;
    },
    ifUnknown: 'Ask.',
    resolve,
  }).catch((error: Error) => error);
  await clock.advance(100);
  return work;
}

describe('a step that is repeated until it is decided', () => {
  it.each<[string, readonly Outcome[], object]>([
    ['decided', ['no', 'unknown', 'done'], { is: 'done' }],
    ['turned away every time', ['no'], { code: 'unavailable', applied: 'no' }],
    ['unknown every time', ['unknown'], { code: 'outcome-unknown' }],
    ['unknown at last', ['no', 'unknown'], { code: 'outcome-unknown' }],
    ['unknown once, and turned away ever after', ['unknown', 'no'], { code: 'outcome-unknown' }],
  ])('%s', async (_, outcomes, is) => {
    expect(await step(outcomes)).toMatchObject(is);
  });

  it('stays unknown where resolve() does not come through: the copies before are out all the same', async () => {
    const failure = await step(['unknown'], async () => {
      throw new UnavailableError('It did not get through.', { cause: new Error('refused') });
    });
    for (let error = failure as OutcomeUnknownError, time = 1; time <= 2; time++) {
      error = (await error.resolve().catch((thrown) => thrown)) as OutcomeUnknownError;
      expect(error).toMatchObject({ code: 'outcome-unknown', cause: { message: 'refused' } });
    }
  });

  it('gives what resolve() found, and throws what it throws otherwise', async () => {
    const found = (await step(['unknown'])) as OutcomeUnknownError;
    expect(await found.resolve()).toBe('resolved');
    const reason = new Error('enough');
    const given = (await step(['unknown'], () => Promise.reject(reason))) as OutcomeUnknownError;
    await expect(given.resolve()).rejects.toBe(reason);
  });
});
