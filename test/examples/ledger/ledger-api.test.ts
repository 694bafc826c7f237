import { describe, expect, it } from 'vitest';
import { ledgerApi } from '../../../examples/ledger/http/ledger-api.ts';
import { accountResource } from '../../../examples/ledger/tables.ts';
import { dynamoTokenSource, fence, LeaseManager } from '../../../src/index.ts';
import { sequencer } from '../../../src/sequencer/index.ts';
import { dropResponse, pause, refuse, throttle, type WireRequest } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { ways } from '../../http/ways.ts';
import { heard } from '../../observe/heard.ts';
import { type Answer, apiCaller, expectProblem } from '../../support/api-caller.ts';
import { describedApi } from '../../support/described-api.ts';
import { branch, TTL_MS } from './branch.ts';

const description = await describedApi(
  new URL('../../../examples/ledger/http/openapi.yaml', import.meta.url),
);
const LEASE_MS = 30_000;
const SEAL_MS = 5 * 60_000;
const transactions = { op: 'TransactWriteItems' } as const;

// How requests are answered does not depend on the engine; what the ledger does on each has tests of its own.
const local = { only: ['local'] } as const;

describeEachEngine(
  'the ledger behind HTTP',
  (engine) => {
    // Ann has 100, Bob has nothing.
    async function bank(way: (typeof ways)[string] = (handler) => handler) {
      const { clock, faults, names, process, deposit, until, stored, balance } = await branch(engine);
      const claims = {
        op: 'UpdateItem',
        where: ({ input }: WireRequest) => input.TableName === names.accounts,
      } as const;
      await deposit('ann', 100);
      await deposit('bob', 0);
      const source = dynamoTokenSource({
        ...{ client: engine.client({ requestHandler: faults }), tableName: names.leases, clock },
      });
      const leases = new LeaseManager({ source, ttlMs: TTL_MS, clock });
      const seals = sequencer(new Uint8Array(32).fill(1), { clock });
      const fetch = way(ledgerApi({ ledger: process('server'), leases, seals }));
      const call = apiCaller(fetch, description);
      const lend = (account = 'ann') => call(`POST /accounts/${account}/lease`);
      const pay = (
        token: string | undefined,
        amount: number,
        more: Record<string, string | undefined> = {},
      ) =>
        call('POST /accounts/ann/transfers', {
          headers: { 'Fencing-Token': token, 'Idempotency-Key': 'k1', ...more },
          body: { to: 'bob', amount },
        });
      const everything = async () =>
        Promise.all((['leases', 'accounts', 'entries', 'lines'] as const).map((table) => stored(table)));
      const balances = async () => [await balance('ann'), await balance('bob')];
      const tokenNow = async () => (await leases.inspect('account/ann'))?.token;
      return {
        ...{ clock, faults, claims, deposit, process, until, seals },
        ...{ fetch, call, lend, pay, everything, balances, tokenNow },
      };
    }
    const tokenOf = ({ headers }: Answer) => headers.get('Fencing-Token') ?? '';
    const tagOf = ({ headers }: Answer) => headers.get('ETag') ?? '';

    describe.each(Object.entries(ways))('by %s', (_, way) => {
      it('money moves once, and the lease ends with it', async () => {
        const { call, lend, pay, balances } = await bank(way);
        const lent = await lend();
        expect(lent).toMatchObject({ status: 201, body: { id: 'ann', balance: 100 } });
        const paid = await pay(tokenOf(lent), 30, { 'If-Match': tagOf(lent) });
        expect(paid).toMatchObject({ status: 201, body: { id: 'k1', from: 'ann', to: 'bob', amount: 30 } });
        // The answer was lost, and the client asks again.
        const again = await pay(tokenOf(lent), 30, { 'If-Match': tagOf(lent) });
        expect(again).toMatchObject({ status: 200, body: paid.body as object });
        expect(await balances()).toEqual([70, 30]);
        expect(await call('GET /accounts/ann')).toMatchObject({ status: 200, body: { balance: 70 } });
        expect((await lend()).status).toBe(201);
      });

      it('a fence pays once', async () => {
        const { lend, pay, balances, everything, tokenNow } = await bank(way);
        const token = tokenOf(await lend());
        const presented = await tokenNow();
        expect((await pay(token, 30)).status).toBe(201);
        const before = await everything();
        const second = await pay(token, 30, { 'Idempotency-Key': 'k2' });
        expectProblem(second, 412, 'lost', { resource: 'account/ann', presented });
        expect((await everything()).slice(1)).toEqual(before.slice(1));
        expect(await balances()).toEqual([70, 30]);
      });

      it('others are told when to come back', async () => {
        const { lend, tokenNow } = await bank(way);
        await lend();
        const held = await lend();
        expectProblem(held, 423, 'held', { resource: 'account/ann', current: await tokenNow() });
        expect(held.headers.get('Retry-After')).toBe('30');
      });

      it('who is late is told both tokens, and moves nothing, even before the next has paid', async () => {
        const { clock, lend, pay, everything, tokenNow } = await bank(way);
        const late = tokenOf(await lend());
        const presented = await tokenNow();
        await clock.advance(LEASE_MS);
        const next = tokenOf(await lend());
        const before = await everything();
        const members = { resource: 'account/ann', presented, current: await tokenNow(), applied: 'no' };
        expectProblem(await pay(late, 30), 412, 'fenced', members);
        expect((await everything()).slice(1)).toEqual(before.slice(1));
        expect((await pay(next, 30, { 'Idempotency-Key': 'k2' })).status).toBe(201);
      });

      it('who has not seen the last change moves nothing, and may look again', async () => {
        const { call, lend, pay, process, everything } = await bank(way);
        const old = tagOf(await call('GET /accounts/ann'));
        await process('other').transfer('ann', 'bob', 1, 'k0');
        const lent = await lend();
        const before = await everything();
        expectProblem(await pay(tokenOf(lent), 30, { 'If-Match': old }), 412, 'version', {
          etag: tagOf(lent),
        });
        expect((await everything()).slice(1)).toEqual(before.slice(1));
        expect((await pay(tokenOf(lent), 30, { 'If-Match': tagOf(lent) })).status).toBe(201);
      });

      it('a false fence moves nothing', async () => {
        const { clock, lend, pay, seals, everything } = await bank(way);
        const token = tokenOf(await lend());
        const others = sequencer(new Uint8Array(32).fill(2), { clock });
        const bobs = fence(accountResource('bob'), 10 ** 15);
        const anns = fence(accountResource('ann'), 10 ** 15);
        const refused: [string | undefined, number, string][] = [
          [undefined, 428, 'missing'],
          ['account/ann:1000000000000000', 401, 'malformed'],
          [token.replace('v1.W', 'v1.X'), 401, 'tampered'],
          [others.seal(anns, { ttlMs: SEAL_MS }), 401, 'tampered'],
          [seals.seal(bobs, { ttlMs: SEAL_MS }), 403, 'foreign'],
        ];
        const before = await everything();
        using told = heard();
        for (const [presented, status, reason] of refused) {
          expectProblem(await pay(presented, 30), status, reason);
        }
        await clock.advance(SEAL_MS);
        expectProblem(await pay(token, 30), 401, 'expired');
        expect(await everything()).toEqual(before);
        // Who comes without a fence does not lie.
        const lies = ['malformed', 'tampered', 'tampered', 'foreign'];
        expect(told.kinds.filter((kind) => kind.startsWith('rejected'))).toEqual(
          [...lies, 'expired'].map((reason) => `rejected ${reason}`),
        );
        expect(told.kinds.filter((kind) => /^(write|claim|acquire)/.test(kind))).toEqual([]);
      });

      it('where the database turns it away, the same request is made again', async () => {
        const { faults, lend, pay, until } = await bank(way);
        const token = tokenOf(await lend());
        faults.add({ on: transactions, do: throttle(), times: 100 });
        const busy = await until(pay(token, 30));
        expectProblem(busy, 503, 'contention');
        expect(busy.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
        expect(faults.bites('throttle')).toBeGreaterThan(0);
        faults.heal();
        expect((await pay(token, 30)).status).toBe(201);
      });
    });

    it('a receiver who is held makes the payer wait, who keeps the fence', async () => {
      const { clock, lend, pay } = await bank();
      const token = tokenOf(await lend());
      await lend('bob');
      const held = await pay(token, 30);
      expectProblem(held, 423, 'held', { resource: 'account/bob' });
      expect(held.headers.get('Retry-After')).toBe('30');
      await clock.advance(LEASE_MS);
      expect((await pay(token, 30)).status).toBe(201);
    });

    it('what the ledger refuses leaves the fence', async () => {
      const { call, lend, pay, process, balances } = await bank();
      const ledger = process('other');
      await ledger.open({ id: 'usd', currency: 'USD' });
      const token = tokenOf(await lend());
      expectProblem(await pay(token, 101), 409, 'insufficient', { balance: 100, limit: 0 });
      const to = (account: string) =>
        call('POST /accounts/ann/transfers', {
          headers: { 'Fencing-Token': token, 'Idempotency-Key': 'k1' },
          body: { to: account, amount: 1 },
        });
      expectProblem(await to('nobody'), 409, 'no-account');
      expectProblem(await to('usd'), 409, 'currency');
      expect((await pay(token, 100)).status).toBe(201);
      expectProblem(await pay(token, 99), 422, 'key-reused');
      expect(await balances()).toEqual([0, 100]);
    });

    it('who is overtaken while the account is lent is told both tokens, and gets no fence', async () => {
      const { clock, faults, claims, lend, pay, tokenNow } = await bank();
      const gate = pause();
      faults.add({ on: { ...claims, nth: 1 }, do: gate });
      const late = lend();
      await gate.reached;
      const presented = await tokenNow();
      // Frozen, so that its own time is not over before it goes on.
      clock.freeze(LEASE_MS);
      const next = await lend();
      gate.release();
      const refused = await late;
      const members = { resource: 'account/ann', presented, current: await tokenNow(), applied: 'no' };
      expectProblem(refused, 412, 'fenced', members);
      expect(refused.headers.has('Fencing-Token')).toBe(false);
      expect((await pay(tokenOf(next), 30)).status).toBe(201);
    });

    it('where nobody knows whether the account was lent, it is free again by itself', async () => {
      const { clock, faults, claims, lend, until } = await bank();
      faults.add({ on: claims, do: dropResponse(), times: 1_000 });
      expectProblem(await until(lend()), 504, 'outcome-unknown', { applied: 'unknown' });
      faults.heal();
      await clock.advance(LEASE_MS);
      expect((await lend()).status).toBe(201);
    });

    it('a receiver never has more than can be counted', async () => {
      const { call, lend, deposit, process, balances } = await bank();
      await deposit('bob', Number.MAX_SAFE_INTEGER - 100);
      await process('other').open({ id: 'eve', currency: 'EUR', limit: -200 });
      const before = await balances();
      const headers = { 'Fencing-Token': tokenOf(await lend('eve')), 'Idempotency-Key': 'k1' };
      const pay = (amount: number) =>
        call('POST /accounts/eve/transfers', { headers, body: { to: 'bob', amount } });
      expectProblem(await pay(101), 409, 'overflow');
      expect(await balances()).toEqual(before);
      expect((await pay(100)).status).toBe(201);
    });

    it('what is no transfer is 400', async () => {
      const { call, lend, pay, everything } = await bank();
      const headers = { 'Fencing-Token': tokenOf(await lend()), 'Idempotency-Key': 'k1' };
      const before = await everything();
      for (const body of [undefined, {}, { to: 'bob', amount: 0 }, { to: 'bob', amount: 2 ** 53 }]) {
        expectProblem(await call('POST /accounts/ann/transfers', { headers, body }), 400, 'bad-request');
      }
      const self = { headers, body: { to: 'ann', amount: 1 } };
      expectProblem(await call('POST /accounts/ann/transfers', self), 400, 'bad-request');
      expectProblem(
        await pay(headers['Fencing-Token'], 1, { 'Idempotency-Key': undefined }),
        400,
        'bad-request',
      );
      expectProblem(await pay(headers['Fencing-Token'], 1, { 'If-Match': 'x' }), 400, 'if-match-malformed');
      expect(await everything()).toEqual(before);
    });

    it('there is no account but those that were opened, and nothing is left of who asks', async () => {
      const { call, lend, everything } = await bank();
      const before = await everything();
      expectProblem(await call('GET /accounts/nobody'), 404, 'not-found');
      expectProblem(await lend('nobody'), 404, 'not-found');
      expect(await everything()).toEqual(before);
    });

    it('where the server was frozen, the client is not the one who is late', async () => {
      const { clock, faults, lend, pay, process, balances } = await bank();
      const token = tokenOf(await lend());
      const gate = pause();
      faults.add({ on: { ...transactions, nth: 1 }, do: gate });
      const late = pay(token, 30);
      await gate.reached;
      await clock.advance(TTL_MS);
      expect(await process('other').transfer('till-EUR', 'bob', 5, 'k0')).toMatchObject({ ok: true });
      gate.release();
      expectProblem(await late, 503, 'contention');
      expect((await pay(token, 30)).status).toBe(201);
      expect(await balances()).toEqual([70, 35]);
    });

    it('where the database cannot be reached, nothing was done', async () => {
      const { faults, lend, until } = await bank();
      faults.add({ on: { op: 'UpdateItem' }, do: refuse(), times: 100 });
      expectProblem(await until(lend()), 503, 'unavailable', { applied: 'no' });
    });

    it('where nobody knows, the same request finds out', async () => {
      const { faults, lend, pay, until, balances } = await bank();
      const token = tokenOf(await lend());
      faults.add({ on: transactions, do: dropResponse(), times: 1_000 });
      expectProblem(await until(pay(token, 30)), 504, 'outcome-unknown', { applied: 'unknown' });
      faults.heal();
      expect((await pay(token, 30)).status).toBe(200);
      expect(await balances()).toEqual([70, 30]);
    });

    it('other paths and methods are none', async () => {
      const { fetch } = await bank();
      const statusOf = async (method: string, path: string) => {
        const request = new Request(`https://x.test${path}`, { method });
        const response = await fetch(request.clone());
        await expect(description.check(request, response)).rejects.toThrow('is not described');
        return response.status;
      };
      expect(await statusOf('GET', '/accounts/')).toBe(404);
      expect(await statusOf('DELETE', '/accounts/ann')).toBe(405);
    });
  },
  local,
);

it('all that is described was answered', () => {
  expect(description.unseen()).toEqual([]);
});
