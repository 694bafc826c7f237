import { expect, it } from 'vitest';
import { fence } from '../../src/index.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { noWireWith } from '../support/no-wire.ts';

it.each([Number.NaN, 'three', undefined])('a client that may send %o copies is told so', async (attempts) => {
  const accounts = accountsIn({ client: noWireWith(attempts), tableName: 'accounts' });
  const refused = invalidInput('client', /maxAttempts is .*, which is no number/);
  await expect(accounts.get({ id: 'a' })).rejects.toThrow(refused);
  await expect(accounts.put(granted(account('a'), 7), { id: 'a' })).rejects.toThrow(refused);
  await expect(accounts.claim(fence(account('a'), 7), { id: 'a' })).rejects.toThrow(refused);
});
