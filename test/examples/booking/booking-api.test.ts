import { describe, expect, it } from 'vitest';
import { bookingApi } from '../../../examples/booking/http/booking-api.ts';
import { slotResource } from '../../../examples/booking/tables.ts';
import { fence } from '../../../src/index.ts';
import { sequencer } from '../../../src/sequencer/index.ts';
import { dropResponse, pause, refuse, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { ways } from '../../http/ways.ts';
import { heard } from '../../observe/heard.ts';
import { type Answer, apiCaller, expectProblem } from '../../support/api-caller.ts';
import { describedApi } from '../../support/described-api.ts';
import { office, place, slotId, TTL_MS } from './office.ts';

const description = await describedApi(
  new URL('../../../examples/booking/http/openapi.yaml', import.meta.url),
);
const nine = slotId('r1', 9);
const resource = slotResource(nine);
// Longer than what the database may take to turn requests away.
const HOLD_MS = 60_000;
const SEAL_MS = 90 * 24 * 60 * 60_000;
const transactions = { op: 'TransactWriteItems' } as const;

// How requests are answered does not depend on the engine; what the service does on each has tests of its own.
const local = { only: ['local'] } as const;

describeEachEngine(
  'the bookings behind HTTP',
  (engine) => {
    // There is a slot at nine.
    async function desk(way: (typeof ways)[string] = (handler) => handler) {
      const { clock, faults, process, stored, until } = await office(engine);
      const other = process('other');
      await other.offer(place('r1', 9));
      const seals = sequencer(new Uint8Array(32).fill(1), { clock });
      const call = apiCaller(
        way(bookingApi({ service: process('server', { holdMs: HOLD_MS }), seals })),
        description,
      );
      const hold = (customer: string, tag?: string, slot = nine) =>
        call(`POST /slots/${slot}/hold`, { headers: { 'If-Match': tag }, body: { customer } });
      const change = (verb: 'confirm' | 'cancel', token: string | undefined) =>
        call(`POST /slots/${nine}/${verb}`, { headers: { 'Fencing-Token': token } });
      const everything = async () =>
        Promise.all((['slots', 'bookings', 'markers'] as const).map((table) => stored(table)));
      return { clock, faults, other, seals, call, hold, change, everything, until };
    }
    const fenceOf = ({ headers }: Answer) => headers.get('Fencing-Token') ?? '';
    const tagOf = ({ headers }: Answer) => headers.get('ETag') ?? '';
    const tokenOf = ({ body }: Answer) => (body as { token: number }).token;

    describe.each(Object.entries(ways))('by %s', (_, way) => {
      it('a slot is held, confirmed, and given back', async () => {
        const { call, hold, change } = await desk(way);
        const free = { id: nine, ...place('r1', 9), status: 'free' };
        expect(await call('GET /days/2026-03-02')).toMatchObject({ status: 200, body: [free] });
        const held = await hold('ann', tagOf(await call(`GET /slots/${nine}`)));
        expect(held).toMatchObject({ status: 201, body: { slot: nine, customer: 'ann', status: 'held' } });
        // The answer was lost, and the client asks again.
        const again = await hold('ann');
        expect([again.status, again.body]).toEqual([201, held.body]);
        const confirmed = { status: 200, body: { token: tokenOf(held), status: 'confirmed' } };
        expect(await change('confirm', fenceOf(held))).toMatchObject(confirmed);
        expect(await change('confirm', fenceOf(again))).toMatchObject(confirmed);
        expect((await call(`GET /slots/${nine}`)).body).toEqual({ ...free, status: 'booked' });
        expect(await change('cancel', fenceOf(held))).toMatchObject({
          ...{ status: 200, body: { status: 'cancelled' } },
        });
        expect(await call('GET /days/2026-03-02')).toMatchObject({ body: [free] });
        expectProblem(await change('cancel', fenceOf(held)), 409, 'condition');
      });

      it('two customers do not get one slot, and one customer does not get two at once', async () => {
        const { other, hold, everything } = await desk(way);
        await other.offer(place('r2', 9.5));
        const both = await Promise.all([hold('ann'), hold('bob')]);
        const statuses = both.map(({ status }) => status);
        expect(statuses.filter((status) => status === 201)).toHaveLength(1);
        expect([409, 423]).toContain(statuses.find((status) => status !== 201));
        const [winner, loser] = statuses[0] === 201 ? ['ann', 'bob'] : ['bob', 'ann'];
        const before = await everything();
        expectProblem(await hold(loser), 409, 'condition');
        expectProblem(await hold(winner, undefined, slotId('r2', 9.5)), 409, 'busy');
        expect(await everything()).toEqual(before);
      });

      it('who is late is told both tokens, and changes nothing', async () => {
        const { clock, hold, change, everything } = await desk(way);
        const hers = await hold('ann');
        await clock.advance(HOLD_MS);
        expectProblem(await change('confirm', fenceOf(hers)), 409, 'condition');
        const his = await hold('bob');
        const before = await everything();
        const members = { resource, presented: tokenOf(hers), current: tokenOf(his), applied: 'no' };
        expectProblem(await change('confirm', fenceOf(hers)), 412, 'fenced', members);
        expectProblem(await change('cancel', fenceOf(hers)), 412, 'fenced', members);
        expect((await everything()).slice(0, 2)).toEqual(before.slice(0, 2));
        expect((await change('confirm', fenceOf(his))).status).toBe(200);
      });

      it('who has not seen the last change gets nothing', async () => {
        const { call, hold, change, everything } = await desk(way);
        const old = tagOf(await call(`GET /slots/${nine}`));
        expect((await change('cancel', fenceOf(await hold('ann')))).status).toBe(200);
        const tag = tagOf(await call(`GET /slots/${nine}`));
        const before = await everything();
        expectProblem(await hold('bob', old), 412, 'version', { etag: tag });
        expect(await everything()).toEqual(before);
        expect((await hold('bob', tag)).status).toBe(201);
      });

      it('a false fence changes nothing', async () => {
        const { clock, hold, change, seals, everything } = await desk(way);
        const token = fenceOf(await hold('ann'));
        const others = sequencer(new Uint8Array(32).fill(2), { clock });
        const invented = fence(resource, 10 ** 15);
        const elsewhere = fence(slotResource(slotId('r2', 9)), 10 ** 15);
        const refused: [string | undefined, number, string][] = [
          [undefined, 428, 'missing'],
          [`${resource}:1000000000000000`, 401, 'malformed'],
          [token.replace('v1.W', 'v1.X'), 401, 'tampered'],
          [others.seal(invented, { ttlMs: SEAL_MS }), 401, 'tampered'],
          [seals.seal(elsewhere, { ttlMs: SEAL_MS }), 403, 'foreign'],
        ];
        const before = await everything();
        using told = heard();
        for (const verb of ['confirm', 'cancel'] as const) {
          for (const [presented, status, reason] of refused) {
            expectProblem(await change(verb, presented), status, reason);
          }
        }
        await clock.advance(SEAL_MS);
        expectProblem(await change('cancel', token), 401, 'expired');
        expect(await everything()).toEqual(before);
        // Who comes without a fence does not lie.
        const lies = ['malformed', 'tampered', 'tampered', 'foreign'];
        expect(told.kinds.filter((kind) => kind.startsWith('rejected'))).toEqual(
          [...lies, ...lies, 'expired'].map((reason) => `rejected ${reason}`),
        );
        expect(told.kinds.filter((kind) => /^(write|claim|acquire)/.test(kind))).toEqual([]);
      });

      it('while somebody is busy with the slot, others are told when to come back', async () => {
        const { faults, hold, change } = await desk(way);
        const token = fenceOf(await hold('ann'));
        const gate = pause({ at: 'answer' });
        faults.add({ on: { ...transactions, nth: 1 }, do: gate });
        const first = change('confirm', token);
        await gate.reached;
        const answers = [await change('confirm', token), await change('cancel', token), await hold('bob')];
        for (const answer of answers) {
          expectProblem(answer, 423, 'held', { resource });
          expect(answer.headers.get('Retry-After')).toBe('1');
        }
        gate.release();
        expect((await first).status).toBe(200);
      });

      it('where the database turns it away, the same request is made again', async () => {
        const { faults, hold, change, until } = await desk(way);
        faults.add({ on: transactions, do: throttle(), times: 100 });
        expectProblem(await until(hold('ann')), 503, 'contention');
        faults.heal();
        const token = fenceOf(await hold('ann'));
        for (const verb of ['confirm', 'cancel'] as const) {
          faults.add({ on: transactions, do: throttle(), times: 100 });
          const busy = await until(change(verb, token));
          expectProblem(busy, 503, 'contention');
          expect(busy.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
          faults.heal();
          expect((await change(verb, token)).status).toBe(200);
        }
        expect(faults.bites('throttle')).toBeGreaterThanOrEqual(3);
      });
    });

    it('where the server was frozen, the client is not the one who is late', async () => {
      const { clock, faults, other, hold } = await desk();
      const gate = pause();
      faults.add({ on: { ...transactions, nth: 1 }, do: gate });
      const late = hold('ann');
      await gate.reached;
      await clock.advance(TTL_MS);
      expect(await other.hold(nine, 'bob')).toMatchObject({ ok: true });
      gate.release();
      expectProblem(await late, 503, 'contention');
    });

    it('where nobody knows, a look tells', async () => {
      const { call, faults, hold, change, until } = await desk();
      const unknown = async (work: () => Promise<Answer>) => {
        faults.add({ on: transactions, do: dropResponse(), times: 1_000 });
        expectProblem(await until(work()), 504, 'outcome-unknown', { applied: 'unknown' });
        faults.heal();
        return ((await call(`GET /slots/${nine}`)).body as { status: string }).status;
      };
      expect(await unknown(() => hold('ann'))).toBe('held');
      const token = fenceOf(await hold('ann'));
      expect(await unknown(() => change('confirm', token))).toBe('booked');
      expect(await unknown(() => change('cancel', token))).toBe('free');
    });

    it('after an answer that nobody knows, the same change is either done or has nothing left to do', async () => {
      const { call, faults, hold, change, until, everything } = await desk();
      const token = fenceOf(await hold('ann'));
      const unknown = async (verb: 'confirm' | 'cancel') => {
        faults.add({ on: transactions, do: dropResponse(), times: 1_000 });
        expectProblem(await until(change(verb, token)), 504, 'outcome-unknown', { applied: 'unknown' });
        faults.heal();
      };
      await unknown('confirm');
      expect(await change('confirm', token)).toMatchObject({ status: 200, body: { status: 'confirmed' } });
      await unknown('cancel');
      const cancelled = await everything();
      // Its booking is over, by the first one: nothing is left to cancel, and nobody loses what is booked since.
      expectProblem(await change('cancel', token), 409, 'condition');
      expect(await everything()).toEqual(cancelled);
      expect((await call(`GET /slots/${nine}`)).body).toMatchObject({ status: 'free' });
      expect((await hold('bob')).status).toBe(201);
      expectProblem(await change('cancel', token), 412, 'fenced');
      expect((await call(`GET /slots/${nine}`)).body).toMatchObject({ status: 'held' });
    });

    it('where the database cannot be reached, nothing was done', async () => {
      const { faults, hold, until } = await desk();
      faults.add({ on: { op: 'UpdateItem' }, do: refuse(), times: 100 });
      expectProblem(await until(hold('ann')), 503, 'unavailable', { applied: 'no' });
    });

    it('what is not there cannot be seen, held, confirmed or cancelled', async () => {
      const { call, other, hold, change } = await desk();
      const token = fenceOf(await hold('ann'));
      expect((await change('cancel', token)).status).toBe(200);
      expect(await other.withdraw(nine)).toMatchObject({ value: { ok: true } });
      expectProblem(await call(`GET /slots/${nine}`), 404, 'not-found');
      expectProblem(await hold('ann'), 404, 'not-found');
      for (const verb of ['confirm', 'cancel'] as const) {
        expectProblem(await change(verb, token), 404, 'not-found');
      }
    });

    it('what is no such request is 400', async () => {
      const { call, hold } = await desk();
      const names = ['', 'x'.repeat(65), 'a\u0000', 'a\nb', '\ud800'].map((customer) => ({ customer }));
      for (const body of [undefined, {}, ...names, { customer: 'ann', token: 1 }]) {
        expectProblem(await call(`POST /slots/${nine}/hold`, { body }), 400, 'bad-request');
      }
      expectProblem(await hold('ann', 'x'), 400, 'if-match-malformed');
    });
  },
  local,
);

it('all that is described was answered', () => {
  expect(description.unseen()).toEqual([]);
});
