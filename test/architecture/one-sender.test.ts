import ts from 'typescript';
import { expect, it } from 'vitest';
import { nodesOf, place, type Source, source, sourcesBelow } from './source-tree.ts';

/** The one file that may hand a request to the SDK: what it sends is counted, judged and bounded, and audited by the tests. */
const sender = 'src/dynamo/send.ts';

/** Every place where requests could leave in another way. */
function otherSenders(sources: readonly Source[]): string[] {
  return sources.flatMap((file) =>
    nodesOf(file.ast).flatMap((node) => {
      const sends =
        (ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          node.expression.name.text === 'send') ||
        (ts.isIdentifier(node) && /^(fetch|\w+Command)$/.test(node.text));
      return sends && file.path !== sender ? [`${place(file, node)}: only ${sender} sends`] : [];
    }),
  );
}

it('one file of the library sends', () => {
  const library = sourcesBelow('src').filter(({ path }) => !/^src\/(testing|cli)\//.test(path));
  expect(otherSenders(library)).toEqual([]);
});

it.each([
  'await client.send(request);',
  'await this.#wire.client.send(request);',
  `import { PutItemCommand } from '@aws-sdk/client-dynamodb';`,
  'await fetch(endpoint);',
])('refuses %s', (text) => {
  expect(otherSenders([source('src/lease/a.ts', text)])).not.toEqual([]);
  expect(otherSenders([source(sender, text)])).toEqual([]);
});

it.each([
  `import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb';`,
  'const { send } = options;',
])('lets %s pass', (text) => {
  expect(otherSenders([source('src/lease/a.ts', text)])).toEqual([]);
});
