import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';

/** The tests that the page names, each by the file that it is said to be in. */
function namedTests(): [title: string, file: string][] {
  const tests: [string, string][] = [];
  visit(fromMarkdown(readFileSync(`${root}docs/failure-modes.md`, 'utf8')), 'link', (link) => {
    if (link.url.endsWith('.test.ts')) tests.push([textOf(link), posix.join('docs', link.url)]);
  });
  return tests;
}

it('docs/failure-modes.md names tests', () => {
  expect(namedTests().length).toBeGreaterThan(30);
});

it.each(namedTests())('«%s» is a test of %s', (title, file) => {
  // As the source writes it, which may escape a quotation mark.
  const source = readFileSync(root + file, 'utf8').replaceAll("\\'", "'");
  expect(source).toContain(title);
});
