import { expect, it } from 'vitest';
import { dropResponse } from '../../../src/testing/faults/drop-response.ts';
import { hang, refuse, reset } from '../../../src/testing/faults/lost-requests.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { counter } from './counter.ts';

const first = { op: 'UpdateItem', nth: 1 } as const;

describeEachEngine(
  'faults: what is lost on the way',
  (engine) => {
    it('reset: looks like a broken connection, and nothing arrived', async () => {
      const { wire, failure, value } = await counter(engine, [{ on: first, do: reset() }]);
      expect(await failure()).toMatchObject({
        name: 'TimeoutError',
        code: 'ECONNRESET',
        message: 'socket hang up',
      });
      expect(await value()).toBe(0);
      expect(wire.bites('reset')).toBe(1);
    });

    it('refuse: looks like a closed port, and nothing arrived', async () => {
      const { failure, value } = await counter(engine, [{ on: first, do: refuse() }]);
      expect(await failure()).toMatchObject({ name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' });
      expect(await value()).toBe(0);
    });

    it.each([
      ['reset', { name: 'TimeoutError', code: 'ECONNRESET' }],
      ['timeout', { name: 'TimeoutError', code: 'ETIMEDOUT' }],
    ] as const)('dropResponse as %s: applied, and the caller cannot know', async (as, seen) => {
      const { wire, failure, value } = await counter(engine, [{ on: first, do: dropResponse({ as }) }]);
      expect(await failure()).toMatchObject(seen);
      expect(await value()).toBe(1);
      expect(wire.log).toMatchObject([{ fault: 'dropResponse', request: { op: 'UpdateItem', number: 1 } }]);
    });

    it("dropResponse: the SDK's own retry applies it twice", async () => {
      const { add, value } = await counter(engine, [{ on: first, do: dropResponse() }], { maxAttempts: 3 });
      await add();
      expect(await value()).toBe(2);
    });

    it.each([
      ['dropResponse', () => dropResponse({ as: 'hang' }), 1],
      ['hang', hang, 0],
    ] as const)('%s, hanging: only the signal ends the call', async (_, fault, applied) => {
      const { wire, failure, value } = await counter(engine, [{ on: first, do: fault() }]);
      const controller = new AbortController();
      const pending = failure('a', controller.signal);
      await expect.poll(() => value()).toBe(applied);
      await wire.idle();
      controller.abort(new Error('enough'));
      expect(await pending).toMatchObject({ name: 'AbortError', cause: { message: 'enough' } });
      expect(await value()).toBe(applied);
    });
  },
  { only: ['local', 'dynoxide'] },
);
