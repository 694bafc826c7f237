import assert from 'node:assert/strict';
import { Deadline } from '../../fence/deadline.ts';
import { fencingToken, MAX_FENCING_TOKEN } from '../../fence/token.ts';
import type { GrantEnd } from '../../lease/token-source.ts';
import { manualClock } from '../manual-clock.ts';
import { is, type Probe } from './token-source-probe.ts';

/** Title and what must hold of a fresh source. */
export type Cases = Readonly<Record<string, (probe: Probe) => Promise<void>>>;

/** An answer without what is left, which is another one at every moment. */
function timeless<Answer extends object>(answer: Answer) {
  const { remainingMs: _, ...rest } = answer as Answer & Partial<GrantEnd>;
  return rest;
}

const crowd = Array.from({ length: 25 }, (_, n) => `crowd/${n}`);

export const acquireCases: Cases = {
  'grants a free resource for the time that was asked': async (probe) => {
    const before = probe.now();
    const { expiresAtMs, recovered } = await probe.granted('a');
    assert.ok(expiresAtMs >= before + probe.ttlMs);
    assert.ok(expiresAtMs <= Math.ceil(probe.now() + probe.ttlMs));
    assert.equal(recovered, false);
  },

  'grants nothing while somebody holds it, and says who': async (probe) => {
    const { token, expiresAtMs } = await probe.granted('a');
    assert.deepEqual(timeless(await probe.acquire('b')), {
      is: 'held',
      holder: 'a',
      token,
      expiresAtMs,
      applied: 'no',
    });
  },

  'says what is left, where it does, by the clock that ends the grant': async (probe) => {
    const { token } = await probe.granted('a');
    await probe.advance(probe.ttlMs / 10);
    for (const ask of [
      async () => is('held', await probe.acquire('b')),
      async () => is('granted', await probe.acquire('a')),
      async () => is('renewed', await probe.renew('a', token)),
    ]) {
      const before = probe.now();
      const { expiresAtMs, remainingMs } = await ask();
      if (remainingMs === undefined) continue;
      assert.ok(remainingMs <= expiresAtMs - before, `${remainingMs} ms are more than what is left`);
      assert.ok(remainingMs >= expiresAtMs - probe.now(), `${remainingMs} ms are less than what is left`);
    }
  },

  'gives the same grant to the holder that asks again': async (probe) => {
    const { token, expiresAtMs } = await probe.granted('a');
    await probe.advance(probe.ttlMs / 10);
    const again = { is: 'granted', token, expiresAtMs, recovered: true };
    assert.deepEqual(timeless(await probe.acquire('a')), again);
  },

  'grants it once the time is over, with a larger token': async (probe) => {
    const first = await probe.granted('a');
    await probe.untilOver();
    const second = await probe.granted('b');
    assert.ok(second.token > first.token);
  },

  'grants it once it was released, with a larger token each time': async (probe) => {
    let last = 0;
    for (const holder of ['a', 'b', 'a', 'c']) {
      const { token } = await probe.granted(holder);
      assert.ok(token > last);
      last = token;
      await probe.release(holder, token);
    }
  },

  'issues tokens larger than what the caller has seen, and goes on from there': async (probe) => {
    const above = probe.now() * 2;
    const first = await probe.granted('a', { above });
    assert.ok(first.token > above);
    await probe.release('a', first.token);
    const second = await probe.granted('b');
    assert.ok(second.token > first.token);
  },

  'numbers every resource by itself': async (probe) => {
    const first = await probe.granted('a', { above: probe.now() * 2 });
    const other = await probe.granted('a', { resource: 'other' });
    assert.ok(other.token < first.token);
  },

  'grants one of many who ask at once, round after round': async (probe) => {
    let last = 0;
    for (let round = 0; round < 2; round++) {
      const holders = crowd.map((name) => `${name}/${round}`);
      const answers = await Promise.all(holders.map((holder) => probe.acquire(holder)));
      const winners = holders.filter((_, n) => answers[n]?.is === 'granted');
      assert.equal(winners.length, 1, `${winners.length} of ${holders.length} were granted it`);
      const [winner] = winners as [string];
      const { token } = is('granted', await probe.acquire(winner));
      assert.ok(token > last);
      last = token;
      await probe.release(winner, token);
    }
  },

  'grants nothing where no larger token exists': async (probe) => {
    const exhausted = { code: 'token-exhausted' };
    await assert.rejects(probe.acquire('a', { above: MAX_FENCING_TOKEN }), exhausted);
    const { token } = await probe.granted('a', { above: MAX_FENCING_TOKEN - 1 });
    assert.equal(token, MAX_FENCING_TOKEN);
    await probe.release('a', token);
    await assert.rejects(probe.acquire('b'), exhausted);
    await assert.rejects(probe.acquire('b'), exhausted);
  },

  'refuses a resource without a name': async (probe) => {
    await assert.rejects(probe.acquire('a', { resource: '' }), { code: 'invalid-input' });
  },

  'does nothing after the deadline': async (probe) => {
    const clock = manualClock();
    const deadline = new Deadline(clock, { timeoutMs: 1 });
    clock.freeze(1);
    const { applied } = is('undecided', await probe.source.acquire(probe.request('a'), deadline));
    assert.equal(applied, 'no');
    await probe.granted('b');
  },
};

export const renewCases: Cases = {
  'prolongs a grant under the same token': async (probe) => {
    const { token, expiresAtMs } = await probe.granted('a');
    await probe.advance(probe.ttlMs / 2);
    const renewed = is('renewed', await probe.renew('a', token));
    assert.ok(renewed.expiresAtMs > expiresAtMs);
    await probe.advance(probe.ttlMs * 0.75);
    assert.equal(is('held', await probe.acquire('b')).token, token);
  },

  'never shortens a grant': async (probe) => {
    const { token, expiresAtMs } = await probe.granted('a');
    assert.equal(is('renewed', await probe.renew('a', token, probe.ttlMs / 2)).expiresAtMs, expiresAtMs);
    assert.equal(is('held', await probe.acquire('b')).expiresAtMs, expiresAtMs);
  },

  'prolongs a grant that is over, as long as nobody has taken it, or says that it is lost': async (probe) => {
    const { token } = await probe.granted('a');
    await probe.advance(probe.ttlMs);
    await probe.untilOver();
    const late = await probe.renew('a', token);
    if (probe.renewsLate) {
      is('renewed', late);
      is('held', await probe.acquire('b'));
    } else {
      is('lost', late);
      assert.ok((await probe.granted('b')).token > token);
    }
  },

  'names the newer token where one was issued, and leaves its grant alone': async (probe) => {
    const first = await probe.granted('a');
    await probe.untilOver();
    const second = await probe.granted('b');
    const fenced = { is: 'fenced', lastToken: second.token, lastHolder: 'b', applied: 'no' };
    assert.deepEqual(await probe.renew('a', first.token, probe.ttlMs * 5), fenced);
    assert.equal(is('held', await probe.acquire('c')).expiresAtMs, second.expiresAtMs);
    await probe.release('b', second.token);
    assert.deepEqual(await probe.renew('a', first.token), { ...fenced, lastHolder: undefined });
  },

  'does not revive a grant that was released': async (probe) => {
    const { token } = await probe.granted('a');
    await probe.release('a', token);
    is('lost', await probe.renew('a', token));
    await probe.granted('b');
  },

  'prolongs nothing for somebody else, nor what was never granted': async (probe) => {
    const { token } = await probe.granted('a', { resource: 'other' });
    is('lost', await probe.renew('a', token));
    const mine = await probe.granted('a');
    is('lost', await probe.renew('b', mine.token));
  },
};

export const releaseCases: Cases = {
  'may be asked twice': async (probe) => {
    const { token } = await probe.granted('a');
    is('released', await probe.release('a', token));
    is('released', await probe.release('a', token));
    await probe.granted('b');
  },

  'leaves a newer grant alone, also one of the same holder': async (probe) => {
    const first = await probe.granted('a');
    await probe.untilOver();
    const second = await probe.granted('b');
    is('released', await probe.release('a', first.token));
    assert.equal(is('held', await probe.acquire('c')).token, second.token);
    await probe.release('b', second.token);
    const third = await probe.granted('a');
    is('released', await probe.release('a', first.token));
    assert.equal(is('held', await probe.acquire('c')).token, third.token);
  },

  'ends whatever its holder was granted where it gives no token': async (probe) => {
    const { token } = await probe.granted('a');
    is('released', await probe.release('b', undefined));
    assert.equal(is('held', await probe.acquire('c')).token, token);
    is('released', await probe.release('a', undefined));
    await probe.granted('c');
  },

  'of what was never leased changes nothing': async (probe) => {
    is('released', await probe.release('a', undefined));
    await probe.granted('b');
  },
};

export const takeOverCases: Cases = {
  'moves a running grant to a new holder, under a larger token': async (probe) => {
    const given = await probe.granted('a');
    const taken = is('granted', await probe.takeOver('b', given.token));
    assert.ok(taken.token > given.token);
    assert.equal(taken.recovered, false);
    assert.equal(is('fenced', await probe.renew('a', given.token)).lastToken, taken.token);
    assert.equal(is('held', await probe.acquire('c')).holder, 'b');
  },

  'may be asked twice by the same holder': async (probe) => {
    const given = await probe.granted('a');
    const { token, expiresAtMs } = is('granted', await probe.takeOver('b', given.token));
    const again = { is: 'granted', token, expiresAtMs, recovered: true };
    assert.deepEqual(timeless(await probe.takeOver('b', given.token)), again);
  },

  'lets one of two takers have it': async (probe) => {
    const given = await probe.granted('a');
    const answers = await Promise.all(['b', 'c'].map((holder) => probe.takeOver(holder, given.token)));
    assert.deepEqual(answers.map((answer) => answer.is).sort(), ['fenced', 'granted']);
  },

  'is refused by a newer token, after a release, and where nothing was granted': async (probe) => {
    const first = await probe.granted('a');
    is('lost', await probe.takeOver('z', first.token, { resource: 'other' }));
    await probe.release('a', first.token);
    is('lost', await probe.takeOver('z', first.token));
    const second = await probe.granted('b');
    const fenced = is('fenced', await probe.takeOver('z', first.token));
    assert.deepEqual([fenced.lastToken, fenced.lastHolder], [second.token, 'b']);
    assert.equal(is('held', await probe.acquire('c')).expiresAtMs, second.expiresAtMs);
  },

  'is refused for a token that was never issued': async (probe) => {
    const { token, expiresAtMs } = await probe.granted('a');
    for (const from of [token + 1, MAX_FENCING_TOKEN])
      is('lost', await probe.takeOver('z', fencingToken(from)));
    const { holder, ...held } = is('held', await probe.acquire('c'));
    assert.deepEqual([holder, held.token, held.expiresAtMs], ['a', token, expiresAtMs]);
  },
};

export const inspectCases: Cases = {
  'shows nothing, then the grant, then only its token': async (probe) => {
    assert.equal(await probe.inspect(), undefined);
    const data = { job: 7, tags: ['x'] };
    const { token, expiresAtMs } = await probe.granted('a', { data });
    assert.deepEqual(await probe.inspect(), { resource: 'r', token, holder: 'a', expiresAtMs, data });
    await probe.release('a', token);
    const free = { resource: 'r', token, holder: undefined, expiresAtMs: undefined, data: undefined };
    assert.deepEqual(await probe.inspect(), free);
  },

  'shows no data of an earlier holder': async (probe) => {
    await probe.granted('a', { data: 'secret' });
    await probe.untilOver();
    await probe.granted('b');
    assert.equal((await probe.inspect())?.data, undefined);
  },
};

export const raiseCases: Cases = {
  'ends the grant, and makes later tokens larger': async (probe) => {
    const { token } = await probe.granted('a');
    const above = token + 1_000_000;
    const raised = await probe.raised(above);
    assert.ok(raised.token > above);
    assert.equal(is('fenced', await probe.renew('a', token)).lastToken, raised.token);
    assert.ok((await probe.granted('b')).token > raised.token);
  },

  'never lowers': async (probe) => {
    const { token } = await probe.granted('a', { above: probe.now() * 2 });
    assert.ok((await probe.raised(0)).token > token);
  },

  'counts also where nothing was leased yet': async (probe) => {
    const above = probe.now() * 2;
    await probe.raised(above);
    assert.ok((await probe.granted('a')).token > above);
  },

  'refuses to go beyond the last token': async (probe) => {
    const { token, expiresAtMs } = await probe.granted('a');
    await assert.rejects(probe.raised(MAX_FENCING_TOKEN), { code: 'token-exhausted' });
    assert.equal(is('renewed', await probe.renew('a', token, 1)).expiresAtMs, expiresAtMs);
  },
};

export const whenGoneCases: Cases = {
  'waits while the grant stands, and ends with the signal': async (probe) => {
    const { token } = await probe.granted('a');
    const enough = new AbortController();
    const waiting = probe.whenGone('a', token, enough.signal);
    await probe.advance(probe.ttlMs / 10);
    enough.abort(new Error('enough'));
    await assert.rejects(waiting, { message: 'enough' });
  },

  'tells when the time is over: at once where it cannot be renewed late, else when somebody takes it': async (
    probe,
  ) => {
    const { token } = await probe.granted('a');
    const waiting = probe.whenGone('a', token);
    await probe.untilOver();
    if (!probe.renewsLate) {
      is('lost', await waiting);
      return;
    }
    const next = await probe.granted('b');
    assert.equal(is('fenced', await waiting).lastToken, next.token);
  },

  'tells of a release, and of one that was before': async (probe) => {
    const { token } = await probe.granted('a');
    const waiting = probe.whenGone('a', token);
    await probe.release('a', token);
    is('lost', await waiting);
    is('lost', await probe.whenGone('a', token));
  },

  'names the newer token where one was issued': async (probe) => {
    const { token } = await probe.granted('a');
    const waiting = probe.whenGone('a', token);
    await probe.release('a', token);
    const next = await probe.granted('b');
    await waiting;
    const { lastToken, lastHolder } = is('fenced', await probe.whenGone('a', token));
    assert.deepEqual({ lastToken, lastHolder }, { lastToken: next.token, lastHolder: 'b' });
  },
};
