import { readFileSync } from 'node:fs';
import { fromMarkdown } from 'mdast-util-from-markdown';
import mermaid from 'mermaid';
import { visit } from 'unist-util-visit';
import { expect, it } from 'vitest';
import { documents, root } from '../../scripts/documents.mjs';

/** The Mermaid diagrams of a document: GitHub draws them, and shows an error in the place of one that is wrong. */
function diagramsOf(markdown: string): string[] {
  const diagrams: string[] = [];
  visit(fromMarkdown(markdown), 'code', ({ lang, value }) => {
    if (lang === 'mermaid') diagrams.push(value);
  });
  return diagrams;
}

const diagrams = documents().flatMap((document) =>
  diagramsOf(readFileSync(root + document, 'utf8')).map(
    (text, index) => [document, index + 1, text] as const,
  ),
);

it('docs/concepts.md draws what happens without tokens, and with them', () => {
  const drawn = diagrams.filter(([document]) => document === 'docs/concepts.md');
  expect(drawn.map(([, , text]) => text.split('\n')[0])).toEqual(['sequenceDiagram', 'sequenceDiagram']);
});

it.each(diagrams)('%s, diagram %i can be drawn', async (_, __, text) => {
  // Throws, with the line and what it expected there.
  expect(await mermaid.parse(text)).toHaveProperty('diagramType');
});

it('a diagram that is wrong is found', async () => {
  await expect(mermaid.parse('sequenceDiagram\n  A->>>B: acquire')).rejects.toThrow('Parse error on line 2');
});
