import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { nodesOf, root, sourcesBelow } from '../architecture/source-tree.ts';
import { anchorsOf } from './links.ts';

/** Every reason for a refusal and every code of an error, as the types of the library name them. */
function reasonsAndCodes(): string[] {
  const names = new Set<string>();
  for (const { ast } of sourcesBelow('src')) {
    for (const node of nodesOf(ast)) {
      const says =
        (ts.isPropertySignature(node) && node.name.getText() === 'reason') ||
        (ts.isTypeParameterDeclaration(node) && node.name.text === 'Reason') ||
        (ts.isTypeAliasDeclaration(node) && node.name.text === 'FencingErrorCode');
      if (!says) continue;
      for (const part of nodesOf(node)) {
        if (ts.isLiteralTypeNode(part) && ts.isStringLiteral(part.literal)) names.add(part.literal.text);
      }
    }
  }
  return [...names].sort();
}

const page = `${root}docs/results.md`;
const anchors = anchorsOf(existsSync(page) ? readFileSync(page, 'utf8') : '');

it('finds the reasons where the types are', () => {
  expect(reasonsAndCodes()).toEqual(
    expect.arrayContaining(['fenced', 'exists', 'version', 'outcome-unknown']),
  );
});

it.each(reasonsAndCodes())('docs/results.md explains %s, to where its error links', (name) => {
  expect(anchors).toContain(name);
});
