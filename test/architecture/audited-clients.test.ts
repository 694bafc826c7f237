import ts from 'typescript';
import { expect, it } from 'vitest';
import { nodesOf, place, type Source, source, sourcesBelow } from './source-tree.ts';

/**
 * Every client of the SDK is audited by itself (test/support/wire-audit.ts). What stands in for a client, or
 * changes how one sends, is not: these may, and why the audit loses nothing.
 */
const exceptions = new Map([
  ['test/support/no-wire.ts', 'fails the test on any request'],
  ['test/simulation/network.ts', 'gives each request to the audit itself'],
  ['test/repository/ambiguity/clients.test.ts', 'wraps a client of which everything is audited'],
]);

/** The library takes for a client what has a `config` and a `send`. */
function bypasses(sources: readonly Source[]): string[] {
  return sources.flatMap((file) =>
    nodesOf(file.ast).flatMap((node) =>
      (standsIn(node) || changesAClient(node)) && !exceptions.has(file.path) ? [place(file, node)] : [],
    ),
  );
}

function standsIn(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node) && !ts.isClassLike(node)) return false;
  const members: readonly (ts.ObjectLiteralElementLike | ts.ClassElement)[] = ts.isClassLike(node)
    ? node.members
    : node.properties;
  const names = members.map(({ name }) => (name && ts.isIdentifier(name) ? name.text : ''));
  const extendsAClient =
    ts.isClassLike(node) && node.heritageClauses?.some((it) => /Client/.test(it.getText()));
  return names.includes('config') || (names.includes('send') && extendsAClient === true);
}

function changesAClient(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    ['send', 'config', 'requestHandler'].includes(node.left.name.text)
  );
}

it('no request of the library can leave past the audit', () => {
  expect(bypasses([...sourcesBelow('test'), ...sourcesBelow('examples')])).toEqual([]);
});

it('every exception is one', () => {
  const files = sourcesBelow('test').map((file) => ({ ...file, path: `${file.path}, if it were none` }));
  const found = bypasses(files).map((at) => at.split(',')[0]);
  expect([...new Set(found)].sort()).toEqual([...exceptions.keys()].sort());
});

it.each([
  'const client = { config: { maxAttempts: async () => 1 }, async send() {} };',
  'const client = { config, send };',
  'class Own { config = {}; send() {} }',
  'class Own extends DynamoDBClient { override send() {} }',
  'client.config.requestHandler = handler;',
  'client.send = async () => ({});',
])('found: %s', (text) => {
  expect(bypasses([source('test/a.test.ts', text)])).toEqual(['test/a.test.ts:1']);
});

it.each(['const { config } = client;', 'new DynamoDBClient({ requestHandler });', 'expect({ send: 1 });'])(
  'right: %s',
  (text) => {
    expect(bypasses([source('test/a.test.ts', text)])).toEqual([]);
  },
);
