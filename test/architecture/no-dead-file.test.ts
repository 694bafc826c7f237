import { expect, it } from 'vitest';
import { entryFiles } from '../packaging/manifest.ts';
import { reachable } from './reachable.ts';
import { type Source, source, sourcesBelow } from './source-tree.ts';

/** The files that no entry leads to. */
function dead(sources: readonly Source[], entries: readonly string[]): string[] {
  const alive = new Set(reachable(sources, entries));
  return sources.filter((file) => !alive.has(file)).map(({ path }) => path);
}

it('every file of src is reachable from what the package exports', () => {
  const entries = entryFiles().filter((file) => file.startsWith('src/'));
  expect(dead(sourcesBelow('src'), entries)).toEqual([]);
});

it('every file of infra is reachable from the app, or from what the package exports', () => {
  expect(dead(sourcesBelow('infra'), ['infra/bin/app.ts', 'infra/index.ts'])).toEqual([]);
});

it('a file that is imported by dead files alone is dead', () => {
  const tree = [
    source('src/index.ts', `export { a } from './a.ts';`),
    source('src/a.ts', ''),
    source('src/b.ts', `import './c.ts';`),
    source('src/c.ts', ''),
  ];
  expect(dead(tree, ['src/index.ts'])).toEqual(['src/b.ts', 'src/c.ts']);
});
