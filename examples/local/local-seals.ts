import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sequencer, sequencer } from 'dynamodb-fenced/sequencer';

/** Seals with a key of this machine: new with every start, or kept beside the data, so that fences outlive a restart as the data does. */
export async function localSeals(folder: string | undefined): Promise<Sequencer> {
  return sequencer(folder === undefined ? randomBytes(32) : await keptKey(join(folder, 'seals.key')));
}

async function keptKey(file: string): Promise<Buffer> {
  try {
    // For its owner alone, and not over another one.
    await writeFile(file, randomBytes(32), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file);
}
