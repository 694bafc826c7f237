import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sequencer, sequencer } from 'dynamodb-fenced/sequencer';

const BYTES = 32;

/**
 * Seals with a key of this machine: new with every start, or kept beside the data, so that fences outlive a restart as the data does.
 *
 * @throws where the key in the folder is none.
 */
export async function localSeals(folder: string | undefined): Promise<Sequencer> {
  return sequencer(folder === undefined ? randomBytes(BYTES) : await keptKey(join(folder, 'seals.key')));
}

async function keptKey(file: string): Promise<Buffer> {
  const key = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return newKey(file);
    throw new Error(`The key of the seals, ${file}, cannot be read: ${error.message}.`, { cause: error });
  });
  if (key.length === BYTES) return key;
  throw new Error(
    `The key of the seals, ${file}, has ${key.length} bytes and not ${BYTES}. Put it back as it was; or delete it, and the fences that it has sealed are void.`,
  );
}

/** Whole or not at all, should the process end in between; and for its owner alone. */
async function newKey(file: string): Promise<Buffer> {
  const key = randomBytes(BYTES);
  await writeFile(`${file}.new`, key, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return key;
}
