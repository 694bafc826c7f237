import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './documents.mjs';

/**
 * Builds and packs the package as `npm publish` would, into a folder that is removed when the process ends.
 *
 * @returns {{ folder: string, tarball: string, files: string[] }} `files` are those in the tarball.
 */
export function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'dynamodb-fenced-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // The build, which npm runs before it packs, prints to the same place as the JSON: so it runs first, alone.
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  /** @type {[{ filename: string, files: { path: string }[] }]} */
  const [{ filename, files }] = JSON.parse(packed);
  return { folder, tarball: join(folder, filename), files: files.map(({ path }) => path) };
}
