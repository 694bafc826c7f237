import { createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fence, fence, LeaseManager, memoryTokenSource, unwrap } from '../../src/index.ts';
import { type RejectedEvent, type SequencerKey, sequencer } from '../../src/sequencer/index.ts';
import { manualClock, skewedClock } from '../../src/testing/index.ts';

const key = new Uint8Array(32).fill(1);
const olderKey = new Uint8Array(32).fill(2);

/** A text with the form of a sequencer, signed with the key by whoever has it. */
function signed(payload: string, purpose = 'dynamodb-fenced/sequencer/v1\0'): string {
  const encoded = Buffer.from(payload).toString('base64url');
  const signature = createHmac('sha256', key).update(purpose).update(encoded).digest('base64url');
  return `v1.${encoded}.${signature}`;
}

/** The events that a piece of work raises. */
function rejections(work: () => void): RejectedEvent[] {
  const heard: RejectedEvent[] = [];
  const listener = (message: unknown) => {
    heard.push(message as RejectedEvent);
  };
  subscribe('dynamodb-fenced', listener);
  try {
    work();
  } finally {
    unsubscribe('dynamodb-fenced', listener);
  }
  return heard.filter(({ event }) => event === 'rejected');
}

describe('a sealed sequencer', () => {
  it('opens as a bare fence with a holder of its own, and says who held it and until when', async () => {
    const clock = manualClock();
    const leases = new LeaseManager({ source: memoryTokenSource({ clock }), ttlMs: 1_000, clock });
    const { lease } = unwrap(await leases.acquire('account/a1'));
    const seals = sequencer(key, { clock });
    const opened = seals.open(seals.seal(lease), { resource: 'account/a1' });
    expect(opened).toMatchObject({ ok: true, holder: lease.holder, expiresAtMs: lease.expiresAtMs });
    const { fence: bare } = opened as { fence: Fence };
    expect(bare).toMatchObject({ resource: 'account/a1', token: lease.token });
    expect(bare.holder).toMatch(/^bare\//);
    await lease.release();
    expect(() => seals.seal(lease)).toThrow(/lease-released/);
  });

  it.each([-3_600_000, 3_600_000])(
    'of a lease ends with it, where the clock of its source is %d ms off',
    async (ms) => {
      const clock = manualClock();
      const source = memoryTokenSource({ clock: { ...skewedClock(clock, ms) } });
      const { lease } = unwrap(await new LeaseManager({ source, ttlMs: 1_000, clock }).acquire('account/a1'));
      const seals = sequencer(key, { clock });
      await clock.advance(400);
      const text = seals.seal(lease);
      await clock.advance(599);
      expect(seals.open(text).ok).toBe(true);
      await clock.advance(1);
      expect(seals.open(text)).toEqual({ ok: false, reason: 'expired' });
    },
  );

  it('is text for headers, URLs and cookies, whatever the names, and comes back as it was', () => {
    const seals = sequencer(key, { clock: { now: () => 0 } });
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => !/\p{Cc}/u.test(text));
    fc.assert(
      fc.property(name, name, fc.maxSafeNat(), (resource, holder, token) => {
        const text = seals.seal(fence(resource, token, { holder, seq: 1 }), { ttlMs: 1 });
        expect(text).toMatch(/^v1\.[\w-]+\.[\w-]{43}$/);
        expect(seals.open(text)).toMatchObject({ ok: true, holder, fence: { resource, token } });
      }),
      { numRuns: 50 },
    );
  });

  it('takes the longest names that a fence may have', () => {
    const seals = sequencer(key);
    const longest = '"'.repeat(1_024);
    const text = seals.seal(fence(longest, 2 ** 53 - 1, { holder: longest, seq: 1 }), { ttlMs: 1_000 });
    expect(seals.open(text)).toMatchObject({ ok: true, holder: longest });
  });

  it('holds until its end, and no longer', () => {
    const clock = manualClock();
    const seals = sequencer(key, { clock });
    const text = seals.seal(fence('a', 1), { ttlMs: 100 });
    const late = sequencer(key, { clock: { now: () => clock.now() + 100 } });
    expect(sequencer(key, { clock: { now: () => clock.now() + 99 } }).open(text).ok).toBe(true);
    expect(late.open(text)).toEqual({ ok: false, reason: 'expired' });
  });

  it('opens with the key before this one too, and with no other', () => {
    const text = sequencer(olderKey).seal(fence('a', 1), { ttlMs: 1_000 });
    expect(sequencer(key, { previousKey: olderKey }).open(text).ok).toBe(true);
    expect(sequencer(key).open(text)).toEqual({ ok: false, reason: 'tampered' });
    // And new ones are sealed with the new key alone.
    const renewed = sequencer(key, { previousKey: olderKey }).seal(fence('a', 1), { ttlMs: 1_000 });
    expect(sequencer(key).open(renewed).ok).toBe(true);
    expect(sequencer(key, { previousKey: olderKey }).open(renewed).ok).toBe(true);
    expect(sequencer(olderKey).open(renewed).ok).toBe(false);
  });

  it('takes a KeyObject as well, and a copy of the bytes', () => {
    const bytes = Uint8Array.from(key);
    const seals = sequencer(bytes);
    bytes.fill(0);
    const text = seals.seal(fence('a', 1), { ttlMs: 1_000 });
    expect(sequencer(createSecretKey(key)).open(text).ok).toBe(true);
  });
});

describe('what a client sends instead', () => {
  const clock = { now: () => 1_000 };
  const seals = sequencer(key, { clock });
  const genuine = seals.seal(fence('account/a1', 42), { ttlMs: 60_000 });

  it('no changed character opens, wherever it stands', () => {
    for (let at = 0; at < genuine.length; at++) {
      for (const other of ['A', 'B', '-', '.', '=', ' ', 'é']) {
        if (genuine[at] === other) continue;
        const changed = genuine.slice(0, at) + other + genuine.slice(at + 1);
        expect(seals.open(changed).ok, changed).toBe(false);
      }
    }
  });

  it.each([
    ['nothing', ''],
    ['the plain text of a fence', 'account/a1:1000000000000000'],
    ['one with something behind it', `${genuine} `],
    ['one with a line behind it', `${genuine}\n`],
    ['padding', `${genuine}=`],
    ['another form', genuine.replace('v1', 'v2')],
    ['no signature', genuine.slice(0, genuine.lastIndexOf('.') + 1)],
    ['something without an end', `v1.${'A'.repeat(1_000_000)}.${'A'.repeat(43)}`],
    ['no text', 42 as unknown as string],
    ['nothing at all', undefined as unknown as string],
  ])('%s is malformed', (_, text) => {
    expect(seals.open(text)).toEqual({ ok: false, reason: 'malformed' });
  });

  it('the last character of a signature has bits that no byte takes: they must be zero', () => {
    const last = genuine.at(-1) as string;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = alphabet[alphabet.indexOf(last) + 1] as string;
    expect(Buffer.from(last + twin, 'base64url')).toBeDefined();
    expect(seals.open(genuine.slice(0, -1) + twin)).toEqual({ ok: false, reason: 'malformed' });
  });

  it.each([
    ['no list', '{}'],
    ['no JSON', '[1'],
    ['a token without an order', '["a",1.5,"h",2000]'],
    ['no holder', '["a",1,"",2000]'],
    ['no end', '["a",1,"h",null]'],
    ['more than there is', '["a",1,"h",2000,1]'],
  ])('a payload with %s is malformed, though signed', (_, payload) => {
    expect(seals.open(signed('["a",1,"h",2000]')).ok).toBe(true);
    expect(seals.open(signed(payload))).toEqual({ ok: false, reason: 'malformed' });
  });

  it('what was signed with the key for another purpose is tampered', () => {
    expect(seals.open(signed('["a",1,"h",2000]', ''))).toEqual({ ok: false, reason: 'tampered' });
  });

  it('raises an event for each, which takes the word of no stranger', () => {
    const [header, , signature] = genuine.split('.');
    const forged = Buffer.from('["account/a1",1000000000000000,"me",99999]').toString('base64url');
    const late = sequencer(key, { clock: { now: () => 61_000 } });
    const { holder, token } = (seals.open(genuine) as { fence: Fence; holder: string }).fence
      ? { holder: (seals.open(genuine) as { holder: string }).holder, token: 42 }
      : { holder: '', token: 0 };
    const events = rejections(() => {
      seals.open('account/a1:42', { resource: 'account/a1' });
      seals.open(`${header}.${forged}.${signature}`, { resource: 'account/a1' });
      seals.open(genuine, { resource: 'account/a2' });
      late.open(genuine);
      seals.open(genuine);
    });
    const unknown = { sealedResource: undefined, token: undefined, holder: undefined };
    const proved = { sealedResource: 'account/a1', token, holder };
    const asked = { event: 'rejected', atMs: 1_000, resource: 'account/a1' };
    expect(events).toEqual([
      { ...asked, ...unknown, reason: 'malformed' },
      { ...asked, ...unknown, reason: 'tampered' },
      { ...asked, ...proved, reason: 'foreign', resource: 'account/a2' },
      { ...asked, ...proved, reason: 'expired', atMs: 61_000, resource: undefined },
    ]);
  });
});

describe('what cannot work is said before', () => {
  const seals = sequencer(key);

  it.each([
    ['a short key', new Uint8Array(31), 'key: 31 bytes are too few'],
    ['text', 'secret' as unknown as SequencerKey, 'key: a value of type string is no secret key'],
    ['nothing', undefined as unknown as SequencerKey, 'key: a value of type undefined is no secret key'],
    ['half of a pair', generateKeyPairSync('ed25519').privateKey, 'key: this is a private key'],
  ])('%s', (_, wrong, message) => {
    expect(() => sequencer(wrong)).toThrow(message);
  });

  it('the key before too', () => {
    expect(() => sequencer(key, { previousKey: new Uint8Array(8) })).toThrow('previousKey: 8 bytes');
  });

  it('a fence without an end, and what is no fence', () => {
    expect(() => seals.seal(fence('a', 1))).toThrow('ttlMs: a bare fence has no end');
    expect(() => seals.seal({ ...fence('a', 1) }, { ttlMs: 1 })).toThrow('neither a lease nor made by');
  });

  it('never shows what was passed for a key', () => {
    expect(() => sequencer('c2VjcmV0' as unknown as SequencerKey)).not.toThrow('c2VjcmV0');
  });

  it('a resource that nobody has set', () => {
    const { open } = sequencer(new Uint8Array(32));
    expect(() => open('x', { resource: undefined } as never)).toThrow('resource: it is undefined');
  });

  it('a clock that cannot be read', () => {
    expect(() => sequencer(key, { clock: {} as never })).toThrow('clock: it has no now()');
  });

  it('options that nobody reads', () => {
    expect(() => seals.seal(fence('a', 1), { ttl: 1 } as never)).toThrow('ttl: there is no such option');
    expect(() => seals.open('', { Resource: 'a' } as never)).toThrow('Did you mean resource?');
    expect(() => sequencer(key, { oldKey: key } as never)).toThrow('oldKey: there is no such option');
  });
});
