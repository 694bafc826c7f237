import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the project lies, with a slash at the end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** What is written for readers, by path from the root of the project. */
export function documents() {
  const docs = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .sort();
  return ['README.md', 'CHANGELOG.md', ...docs].filter((file) => existsSync(root + file));
}
