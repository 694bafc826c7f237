import ts from 'typescript';
import { expect, it } from 'vitest';
import { nodesOf, sourcesBelow } from '../architecture/source-tree.ts';
import { runExample } from './run-example.ts';

const folder = 'examples/token-source';

it('a token source made by hand passes the conformance suite, and tests of its own store', async () => {
  const { code, stdout, stderr } = await runExample(`${folder}/conformance.ts`);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(Number(/^[#ℹ] pass (?<count>\d+)$/mu.exec(stdout)?.groups?.count)).toBeGreaterThan(20);
  expect(stdout).toMatch(/^[#ℹ] fail 0$/mu);
});

it('it takes public names alone', () => {
  const sources = sourcesBelow(folder);
  expect(sources).toHaveLength(3);
  const from = sources.flatMap(({ ast }) =>
    nodesOf(ast)
      .filter((node) => ts.isImportDeclaration(node))
      .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text),
  );
  expect(from).toContain('dynamodb-fenced');
  expect(from.filter((name) => !/^(?:node:|\.\/|dynamodb-fenced(?:\/testing)?$)/.test(name))).toEqual([]);
});
