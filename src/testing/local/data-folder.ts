import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes the folder that is to keep the data, and those above it.
 *
 * Level by level, because `mkdir` with `recursive`, by which the store would do it, never ends on Node 20 where a
 * folder is there and takes no others (in `/proc`, under a link to nowhere), and keeps a thread busy meanwhile.
 *
 * @throws where it is no folder, or cannot be made.
 */
export async function makeFolder(path: string): Promise<void> {
  if (path === '')
    throw new Error('The path of the data is empty. Name a folder, or leave it out to keep nothing.');
  try {
    await makeLevel(resolve(path));
  } catch (error) {
    throw cannotKeep(path, error);
  }
}

async function makeLevel(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  await makeLevel(dirname(folder));
  try {
    await mkdir(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) !== 'EEXIST' || !(await isFolder(folder))) throw error;
  }
}

/** @throws where there is something else. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}

/** The error of a folder that cannot be used, with the reason that was found below it. */
export function cannotKeep(path: string, error: unknown): Error {
  // The store says only that it is not open, and has the reason as its cause.
  const found = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = codeOf(found) === 'LEVEL_LOCKED' ? 'it is in use already' : messageOf(found);
  return new Error(`The folder ${path} cannot keep the data: ${why}.`, { cause: error });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
