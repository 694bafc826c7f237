import { expect, it } from 'vitest';
import { listenError } from '../../../src/testing/local/listen-error.ts';

const address = { host: 'db', port: 80 };

it.each([
  ['EADDRINUSE', 'the port is taken'],
  ['EACCES', 'this user may not take the port'],
  ['EADDRNOTAVAIL', 'the host is no address of this machine'],
  ['ENOTFOUND', 'the host is neither an address nor a name'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up'],
])('says what %s means', (code, meaning) => {
  const cause = Object.assign(new Error('of the system'), { code });
  const error = listenError(address, cause);
  expect(error.message).toContain(`Port 80 on db cannot be listened on: ${meaning}`);
  expect(error.cause).toBe(cause);
});

it('leaves the word to the system where it knows no better', () => {
  const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  expect(listenError(address, cause).message).toContain('listened on: too many open files.');
});
