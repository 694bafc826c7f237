import { describe, expect, it } from 'vitest';
import { LeaseReleasedError, OutcomeUnknownError, UnavailableError } from '../../src/fence/errors.ts';
import { reporting, type Thrown } from '../../src/fence/reporting.ts';

/** What is told of a call that throws. */
async function told(error: unknown, signal?: AbortSignal): Promise<readonly Thrown[]> {
  const heard: Thrown[] = [];
  const report = { answered: () => {}, threw: (how: Thrown) => void heard.push(how) };
  const thrown = await reporting(report, Promise.reject(error), signal).catch((caught: unknown) => caught);
  expect(thrown).toBe(error);
  return heard;
}

/** An error of somebody else, with a name of its own. */
const named = (name: unknown) => Object.assign(new Error('a secret'), { name });

describe('of a call that throws is told', () => {
  it('nothing where its caller has ended it', async () => {
    const reason = new Error('enough');
    expect(await told(reason, AbortSignal.abort(reason))).toEqual([]);
    expect(await told(reason)).toEqual([{ event: 'failure', code: 'Error' }]);
  });

  it('what else went wrong, though its caller has ended it too', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await told(new UnavailableError('x'), signal)).toEqual([
      { event: 'failure', code: 'unavailable' },
    ]);
  });

  it('nothing of a lease that was released: nobody was asked', async () => {
    expect(await told(new LeaseReleasedError('r'))).toEqual([]);
  });

  it('that its outcome is unknown, and by what', async () => {
    const lost = (cause: unknown) => new OutcomeUnknownError('x', async () => undefined, { cause });
    expect(await told(lost(named('TimeoutError')))).toEqual([{ event: 'unknown', cause: 'TimeoutError' }]);
    expect(await told(lost(undefined))).toEqual([{ event: 'unknown', cause: 'undefined' }]);
  });

  it.each([
    ['ProvisionedThroughputExceededException', 'ProvisionedThroughputExceededException'],
    ['TOP SECRET\nname', 'Error'],
    ['x'.repeat(65), 'Error'],
    ['', 'Error'],
    [7, 'Error'],
  ])('the name of its error, where it is one: %j', async (name, code) => {
    expect(await told(named(name))).toEqual([{ event: 'failure', code }]);
  });

  it('no more than that it threw, where that cannot be looked at', async () => {
    const hostile = Object.defineProperty(new Error('x'), 'name', {
      get() {
        throw new Error('no name');
      },
    });
    expect(await told(hostile)).toEqual([{ event: 'failure', code: 'Error' }]);
    expect(await told('a text')).toEqual([{ event: 'failure', code: 'string' }]);
  });
});
