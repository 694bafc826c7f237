import ts from 'typescript';
import { expect, it } from 'vitest';
import { reachable } from '../architecture/reachable.ts';
import { nodesOf, type Source, source, sourcesBelow } from '../architecture/source-tree.ts';
import { entryFiles } from './manifest.ts';

// Programs that compile with `lib: es2022` know no `AsyncDisposable`. With this line, which the build copies
// into the declarations (that is what `preserve` says), they get it from us. One in a program is enough.
const reference = '/// <reference lib="esnext.disposable" preserve="true" />';

/** The files that speak of disposables, where none of those that the entry leads to brings them along. */
function lackingReference(sources: readonly Source[], entry: string): string[] {
  const program = reachable(sources, [entry]);
  if (program.some(({ ast }) => ast.text.includes(reference))) return [];
  return program.filter(({ ast }) => nodesOf(ast).some(isDisposable)).map(({ path }) => path);
}

function isDisposable(node: ts.Node): boolean {
  const name = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) ? node.getText() : '';
  return /^((Async)?Disposable|Symbol\.(asyncDispose|dispose))$/.test(name);
}

it.each(entryFiles())(`%s leads to a file with ${reference} if anything in it is disposable`, (entry) => {
  expect(lackingReference([...sourcesBelow('src'), ...sourcesBelow('infra')], entry)).toEqual([]);
});

it.each(['export interface A extends AsyncDisposable {}', 'export class A { [Symbol.dispose]() {} }'])(
  'a missing reference is found: %s',
  (text) => {
    const index = source('src/index.ts', `export { A } from './a.ts';`);
    expect(lackingReference([index, source('src/a.ts', text)], 'src/index.ts')).toEqual(['src/a.ts']);
    expect(lackingReference([index, source('src/a.ts', `${reference}\n${text}`)], 'src/index.ts')).toEqual(
      [],
    );
  },
);
