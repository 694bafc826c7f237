import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { request, said, statuses } from './raw-client.ts';
import { commandsIn, emptyFolder, run, started, typed } from './started-server.ts';

/** What the server has left in the folder for what is of the moment; the loader of TypeScript keeps a cache there. */
const leftIn = async (tmp: string) => (await readdir(tmp)).filter((name) => !name.startsWith('tsx-'));

async function asked(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const token = response.headers.get('fencing-token') ?? '';
  return { status: response.status, token, body: await response.json() };
}

it('says what to try, and all of it works as it is printed, again and again; SIGINT ends it', async () => {
  const { output, errors, stop, tmp } = await started();
  expect(output()).not.toContain('\u001b');
  expect(output()).toContain('in memory');
  const printed = commandsIn(output());
  expect(printed.map(({ status }) => status)).toEqual([
    ...[200, 201, 201, 200, 201, 412, 428, 201],
    ...[200, 201, 409, 200, 428, 200],
  ]);
  const expected = printed.map(({ text, status }) => ({ text, status }));
  for (let times = 0; times < 2; times++) {
    const statuses = await typed(printed);
    expect(printed.map(({ text }, index) => ({ text, status: statuses[index] }))).toEqual(expected);
  }
  expect(await stop('SIGINT')).toBe(0);
  expect(await errors).toBe('');
  expect(await leftIn(tmp)).toEqual([]);
});

it('keeps its data in the folder, and fences that were handed out stay good', async () => {
  const data = join(await emptyFolder(), 'data');
  const first = await started('--data', data);
  expect(first.output()).toContain(`data in ${data}`);
  await typed(commandsIn(first.output()));
  const day = /days\/(\S+)/.exec(first.output())?.[1];
  const slot = `slots/room-1@${day}T10:00Z`;
  const held = await asked(`${first.url}/${slot}/hold`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"customer":"ann"}' },
  });
  const before = await asked(`${first.url}/accounts/ann`);
  expect(before.body).toMatchObject({ balance: 10_000 - 30 - 20 });
  expect(await first.stop('SIGTERM')).toBe(0);
  expect((await readdir(data)).sort()).toEqual(['dynamodb', 'seals.key']);
  expect((await stat(join(data, 'seals.key'))).mode & 0o777).toBe(0o600);

  const second = await started('--data', data);
  expect((await asked(`${second.url}/accounts/ann`)).body).toEqual(before.body);
  const confirmed = { method: 'POST', headers: { 'Fencing-Token': held.token } };
  expect(await asked(`${second.url}/${slot}/confirm`, confirmed)).toMatchObject({
    ...{ status: 200, body: { status: 'confirmed' } },
  });
  // One at a time.
  const third = run(['--port', '0', '--data', data]);
  expect(await third.errors).toMatch(/^error: The folder .* cannot keep the data: it is in use already\.\n$/);
  expect(await third.ended).toBe(1);
  expect(await second.stop('SIGINT')).toBe(0);
});

it('has the routes that would be deployed, and no others', async () => {
  const { url, stop } = await started();
  expect(await asked(`${url}/accounts`)).toEqual({ status: 404, token: '', body: { message: 'Not Found' } });
  expect(await asked(`${url}/accounts/ann`, { method: 'DELETE' })).toMatchObject({ status: 404 });
  expect(await asked(`${url}/accounts/nobody`)).toMatchObject({ status: 404, body: { reason: 'not-found' } });
  expect(await stop('SIGTERM')).toBe(0);
});

it('ends though a client does not come to an end, and says nothing of it', async () => {
  const { url, stop, errors } = await started();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(request('POST /accounts/ann/lease', ['Content-Length: 100'], 'a'));
  await once(socket, 'connect');
  expect(statuses(await said(url, request('GET /accounts/ann')))).toEqual([200]);
  expect(await stop('SIGINT')).toBe(0);
  expect(await errors).toBe('');
});

it('says in one line which port is taken', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { errors, ended, output } = run(['--port', String(port)]);
  expect(await errors).toBe(`error: Port ${port} is taken. Take another one, or 0 for a free one.\n`);
  expect(await ended).toBe(1);
  expect(output()).toBe('');
});

it.each([
  [['--port', '80.5'], 'It must be a number from 0 to 65535.'],
  [['--data', ''], 'It must not be empty.'],
  [['--nope'], "unknown option '--nope'"],
])('refuses %j', async (args, message) => {
  const { errors, ended } = run(args);
  expect(await errors).toContain(message);
  expect(await ended).toBe(1);
});

it('leaves nothing where it is interrupted before it runs', async () => {
  const tmp = await emptyFolder();
  const { stop } = run(['--port', '0'], tmp);
  // As soon as it works on something that it has to take away again.
  while ((await leftIn(tmp)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await stop('SIGINT')).toBe(0);
  expect(await leftIn(tmp)).toEqual([]);
});
