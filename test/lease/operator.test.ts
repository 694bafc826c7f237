import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/fence/unwrap.ts';
import { LeaseManager, memoryTokenSource } from '../../src/index.ts';
import type { RaiseOptions } from '../../src/lease/lease-options.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { loseAnswer, turnAway } from './unruly-source.ts';
import { whilePending, world } from './world.ts';

describe('inspect', () => {
  it('shows who holds what', async () => {
    const { process } = world();
    const a = process('a');
    expect(await a.inspect('r')).toBeUndefined();
    const { lease } = unwrap(await a.acquire('r', { data: { job: 7 } }));
    expect(await a.inspect('r')).toEqual({ ...lease.toJSON(), data: { job: 7 } });
  });

  it('refuses bad names and a call that is given up', async () => {
    const a = world().process('a');
    await expect(a.inspect('')).rejects.toMatchObject({ path: 'resource' });
    const reason = new Error('enough');
    await expect(a.inspect('r', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('raise', () => {
  it('ends the grant, fences its holder, and makes the next token larger', async () => {
    const { process, clock, verbs } = world();
    const { lease } = unwrap(await process('a').acquire('r'));
    const above = clock.now() * 2;
    const token = await process('operator').raise('r', { above });
    expect(token).toBe(above + 1);
    expect(await lease.renew()).toMatchObject({ reason: 'fenced', lastToken: token });
    expect(unwrap(await process('b').acquire('r')).lease.token).toBe(token + 1);
    expect(verbs).toEqual(['acquire', 'raise', 'renew', 'acquire']);
  });

  it('asks again until it is decided', async () => {
    const { process, clock, next, stored } = world();
    next('raise', turnAway, loseAnswer);
    const token = await whilePending(clock, process('operator').raise('r', { above: 0 }), 1_000);
    expect(await stored()).toMatchObject({ token, holder: undefined });
  });

  it('whose outcome is unknown is asked again by resolve()', async () => {
    const { process, clock, always, heal, stored } = world();
    always('raise', loseAnswer);
    const raising = process('operator')
      .raise('r', { above: 0, timeoutMs: 300 })
      .catch((error) => error);
    await clock.advance(300);
    const error = await raising;
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    heal();
    const before = (await stored())?.token ?? Number.NaN;
    expect(await error.resolve()).toBeGreaterThan(before);
    expect(clock.timers).toBe(0);
  });

  it.each<[string, string, unknown]>([
    ['resource', '', { above: 0 }],
    ['above', 'r', {}],
    ['above', 'r', { above: -1 }],
    ['above', 'r', { above: '3f2c-uuid' }],
    ['above', 'r', { above: Number.MAX_SAFE_INTEGER }],
    ['above', 'r', undefined],
  ])('refuses a bad %s before anything is sent', async (path, resource, options) => {
    const { process, verbs } = world();
    const raising = process('operator').raise(resource, options as RaiseOptions);
    await expect(raising).rejects.toMatchObject({ code: 'invalid-input', path });
    expect(verbs).toEqual([]);
  });
});

it('a source that cannot is named where no compiler does', async () => {
  const { acquire, renew, release } = memoryTokenSource();
  const leases = new LeaseManager({ source: { acquire, renew, release }, ttlMs: 10_000 });
  const calls = LeaseManager.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const ability of ['takeOver', 'inspect', 'raise', 'check']) {
    const call = async () => calls[ability]?.call(leases, 'r', { above: 1 });
    await expect(call()).rejects.toThrow(invalidInput('source', new RegExp(`has no ${ability}\\(\\)`)));
  }
});
