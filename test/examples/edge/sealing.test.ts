import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { reserve, sealsOf, shown } from '../../../examples/edge/sealing.ts';
import { LeaseManager, memoryTokenSource, unwrap } from '../../../src/index.ts';

const secret = () => randomBytes(32).toString('base64');

it('a client shows what it was given, also after the key was changed, and for no other account', async () => {
  const leases = new LeaseManager({ source: memoryTokenSource(), ttlMs: 10_000 });
  const [key, nextKey] = [secret(), secret()];
  const { sealed } = unwrap(await reserve(leases, sealsOf(key), 'a1'));
  const changed = sealsOf(nextKey, key);
  const { token } = (await leases.inspect('account/a1')) as { token: number };
  expect(shown(changed, sealed, 'a1')).toMatchObject({ ok: true, fence: { resource: 'account/a1', token } });
  expect(shown(changed, sealed, 'a2')).toEqual({ ok: false, reason: 'foreign' });
  expect(shown(sealsOf(nextKey), sealed, 'a1')).toEqual({ ok: false, reason: 'tampered' });
  expect(await reserve(leases, changed, 'a1')).toMatchObject({ reason: 'held' });
});
