import { expect, it } from 'vitest';
import { entryFiles } from '../packaging/manifest.ts';
import { type Source, source, sourcesBelow } from './source-tree.ts';

/** The files that no entry leads to. */
function dead(sources: readonly Source[], entries: readonly string[]): string[] {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const alive = new Set<string>();
  const visit = (path: string) => {
    if (alive.has(path)) return;
    alive.add(path);
    for (const { file } of byPath.get(path)?.imports ?? []) if (file !== undefined) visit(file);
  };
  entries.forEach(visit);
  return sources.map(({ path }) => path).filter((path) => !alive.has(path));
}

it('every file of src is reachable from what the package exports', () => {
  expect(dead(sourcesBelow('src'), entryFiles())).toEqual([]);
});

it('every file of infra is reachable from the app', () => {
  expect(dead(sourcesBelow('infra'), ['infra/bin/app.ts'])).toEqual([]);
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
