import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localSeals } from '../../../examples/local/local-seals.ts';
import { fence } from '../../../src/index.ts';
import { emptyFolder } from './started-server.ts';

const given = fence('account/ann', 42);
const options = { resource: 'account/ann' };

it('a key is kept in the folder, for its owner alone, and opens what it has sealed', async () => {
  const folder = await emptyFolder();
  const sealed = (await localSeals(folder)).seal(given, { ttlMs: 60_000 });
  expect(await readdir(folder)).toEqual(['seals.key']);
  expect((await stat(join(folder, 'seals.key'))).mode & 0o777).toBe(0o600);
  expect((await localSeals(folder)).open(sealed, options)).toMatchObject({ ok: true });
  expect((await localSeals(undefined)).open(sealed, options)).toMatchObject({ ok: false });
});

it.each([0, 5, 33])('a key of %d bytes is refused, and it is said what to do', async (bytes) => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'seals.key'), Buffer.alloc(bytes));
  await expect(localSeals(folder)).rejects.toThrow(
    `${folder}/seals.key, has ${bytes} bytes and not 32. Put it back`,
  );
});

it('so is one that cannot be read', async () => {
  const folder = await emptyFolder();
  await mkdir(join(folder, 'seals.key'));
  await expect(localSeals(folder)).rejects.toThrow(`${folder}/seals.key, cannot be read: EISDIR`);
});
