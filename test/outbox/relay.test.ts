import { expect, it } from 'vitest';
import { pause } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { auditNames } from '../support/wire-audit.ts';
import { none, postOffice, receiver, TTL_MS } from './post-office.ts';

auditNames({ fence: ['_relayFence'], holder: ['_relayHolder'] });

describeEachEngine('a relay', (engine) => {
  it('delivers each message once, in order per resource, with its key, and marks it', async () => {
    const { outbox, write, process, pendingIn, storedItems, clock } = await postOffice(engine);
    const a = await write('a', 'a1', 'a2');
    const b = await write('b', 'b1');
    const later = await write('a', 'a3');
    const { told, texts, keys, handler } = receiver();
    expect(await pendingIn('unsent')).toHaveLength(4);
    expect(await outbox.relay(process('r'), handler, { untilEmpty: true })).toEqual({
      ...none,
      delivered: 4,
    });
    expect(texts().filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(keys().sort()).toEqual(
      [
        `account/a:${a.token}:1`,
        `account/a:${a.token}:2`,
        `account/a:${later.token}:1`,
        `account/b:${b.token}:1`,
      ].sort(),
    );
    expect(told.find(({ key }) => key === `account/b:${b.token}:1`)).toEqual({
      key: `account/b:${b.token}:1`,
      resource: 'account/b',
      token: b.token,
      seq: 1,
      message: { text: 'b1' },
    });
    expect([await pendingIn('unsent'), await pendingIn('pending')]).toEqual([[], []]);
    const sent = (await storedItems()).find((item) => item.resource?.S === 'account/b');
    const digits = (n: number) => `${n}`.padStart(16, '0');
    expect(sent).toEqual({
      resource: { S: 'account/b' },
      position: { S: `${digits(b.token)}:${digits(1)}` },
      token: { N: `${b.token}` },
      seq: { N: '1' },
      message: { M: { text: { S: 'b1' } } },
      sentAtMs: { N: `${clock.now()}` },
      deleteAfterS: { N: `${clock.now() / 1000 + 7 * 24 * 60 * 60}` },
      _fence: { N: `${b.token}` },
      _fenceHolder: { S: b.holder },
      _fenceSeq: { N: '1' },
      _fenceVersion: { S: expect.stringContaining(`${b.token}.1.`) },
      _relayFence: { N: expect.any(String) },
      _relayHolder: { S: expect.stringMatching(/^r\//) },
      _relaySeq: { N: '1' },
      _relayVersion: { S: expect.stringContaining('.1.r/') },
    });
    expect(await outbox.relay(process('r'), handler, { untilEmpty: true })).toEqual(none);
    expect(told).toHaveLength(4);
  });

  it('that dies between delivery and mark: the next one delivers again, with the same key', async () => {
    const { outbox, write, process, faults, clock, passing, pendingIn } = await postOffice(engine);
    const { token } = await write('a', 'a1', 'a2');
    const { keys, handler } = receiver();
    const gate = pause();
    faults.add({ on: { op: 'TransactWriteItems', nth: 1 }, do: gate });
    const dead = outbox.relay(process('r1'), handler, { untilEmpty: true });
    await gate.reached;
    await clock.advance(TTL_MS);
    const next = await outbox.relay(process('r2'), handler, { untilEmpty: true });
    expect(next).toEqual({ ...none, delivered: 2 });
    expect(keys()).toEqual([1, 1, 2].map((seq) => `account/a:${token}:${seq}`));
    expect(await pendingIn('pending')).toEqual([]);
    gate.release();
    expect(await passing(clock, dead)).toEqual({ ...none, refused: 1 });
  });

  it('that was paused is refused when it marks, as soon as a newer one was let in', async () => {
    const { outbox, write, process, faults, clock, passing, pendingIn } = await postOffice(engine);
    await write('a', 'a1', 'a2');
    const [old, fresh] = [receiver(), receiver()];
    const gate = pause();
    faults.add({ on: { op: 'TransactWriteItems', nth: 1 }, do: gate });
    const ended = new AbortController();
    const stale = outbox.relay(process('r1'), old.handler, { signal: ended.signal });
    await gate.reached;
    await clock.advance(TTL_MS);
    // The newer one has its lease and delivers, but has marked nothing yet.
    let deliver = () => {};
    const delivering = new Promise<void>((started) => {
      deliver = started;
    });
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const newer = outbox.relay(
      process('r2'),
      async (delivery) => {
        fresh.handler(delivery);
        deliver();
        await finished;
      },
      { untilEmpty: true },
    );
    await delivering;
    gate.release();
    await faults.idle();
    // The mark was refused by the lease, not by the message, which nobody had touched.
    expect(await pendingIn('pending')).toHaveLength(2);
    ended.abort();
    expect(await passing(clock, stale)).toEqual({ ...none, refused: 1 });
    finish();
    expect(await newer).toEqual({ ...none, delivered: 2 });
    expect(old.texts()).toEqual(['a1']);
    expect(fresh.texts()).toEqual(['a1', 'a2']);
  });

  it('whose handler fails holds up that resource alone, tells so, and tries again', async () => {
    const { outbox, write, process, clock, passing } = await postOffice(engine);
    await write('a', 'a1', 'a2');
    await write('b', 'b1');
    const { texts, handler } = receiver();
    const errors: unknown[] = [];
    let failures = 2;
    const relayed = outbox.relay(
      process('r'),
      (delivery) => {
        if (delivery.message.text === 'a1' && failures-- > 0) throw new Error('no post today');
        handler(delivery);
      },
      { untilEmpty: true, onError: (error, delivery) => errors.push([`${error}`, delivery?.message.text]) },
    );
    expect(await passing(clock, relayed)).toEqual({ delivered: 3, failed: 2, refused: 0 });
    expect(texts()).toEqual(['b1', 'a1', 'a2']);
    expect(errors).toEqual([
      ['Error: no post today', 'a1'],
      ['Error: no post today', 'a1'],
    ]);
  });

  it('ends with what the handler threw, where nobody is told of errors', async () => {
    const { outbox, write, process, pendingIn } = await postOffice(engine);
    await write('a', 'a1');
    const failing = () => Promise.reject(new Error('no post today'));
    await expect(outbox.relay(process('r'), failing)).rejects.toThrow('no post today');
    expect(await pendingIn('pending')).toHaveLength(1);
  });

  it('is told to end: it leaves a handler that does not listen, and what that had is delivered again', async () => {
    const { outbox, write, process, pendingIn } = await postOffice(engine);
    await write('a', 'a1');
    const ended = new AbortController();
    let seen: AbortSignal | undefined;
    const relayed = outbox.relay(
      process('r1'),
      (_, { signal }) => {
        seen = signal;
        ended.abort(new Error('enough'));
        return new Promise(() => {});
      },
      { signal: ended.signal },
    );
    expect(await relayed).toEqual(none);
    expect(seen?.aborted).toBe(true);
    expect(await pendingIn('pending')).toHaveLength(1);
    const { texts, handler } = receiver();
    // Its lease was released, so nobody waits for its end.
    await outbox.relay(process('r2'), handler, { untilEmpty: true });
    expect(texts()).toEqual(['a1']);
  });

  it('told to end before it begins sends nothing', async () => {
    const { outbox, write, process, wire } = await postOffice(engine);
    await write('a', 'a1');
    wire.forget();
    const relayed = await outbox.relay(process('r'), receiver().handler, { signal: AbortSignal.abort() });
    expect([relayed, wire.ops]).toEqual([none, []]);
  });

  it('waits for messages, finds those that come, and ends when its time is over', async () => {
    const { outbox, write, process, clock, passing } = await postOffice(engine);
    const { texts, handler } = receiver();
    const start = clock.now();
    const relayed = outbox.relay(process('r'), handler, { forMs: 5_000, pollMs: 1_000 });
    await write('a', 'a1');
    expect(await passing(clock, relayed)).toEqual({ ...none, delivered: 1 });
    expect(texts()).toEqual(['a1']);
    expect(clock.now() - start).toBe(5_000);
    expect(clock.timers).toBe(0);
  });

  it('leaves a resource to the relay that is at it', async () => {
    const { outbox, write, process, clock, passing } = await postOffice(engine);
    await write('a', 'a1');
    const { told, handler } = receiver();
    const busy = process('r1');
    await busy.using('outbox/account/a', {}, async () => {
      const relayed = outbox.relay(process('r2'), handler, { forMs: 1_500 });
      expect(await passing(clock, relayed)).toEqual(none);
    });
    expect(told).toEqual([]);
  });

  it('renews its lease between messages', async () => {
    const { outbox, write, process, clock } = await postOffice(engine);
    await write('a', 'a1', 'a2', 'a3', 'a4');
    const { handler, texts } = receiver();
    const slow = async (delivery: Parameters<typeof handler>[0]) => {
      handler(delivery);
      await clock.advance(TTL_MS * 0.6);
    };
    expect(await outbox.relay(process('r'), slow, { untilEmpty: true })).toEqual({ ...none, delivered: 4 });
    expect(texts()).toEqual(['a1', 'a2', 'a3', 'a4']);
  });
});
