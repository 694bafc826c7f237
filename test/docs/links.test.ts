import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documents, root } from '../../scripts/documents.mjs';
import { anchorsOf, brokenLinks } from './links.ts';

function read(path: string): string | undefined {
  if (!existsSync(root + path)) return undefined;
  return statSync(root + path).isDirectory() ? '' : readFileSync(root + path, 'utf8');
}

describe('links within the project lead somewhere', () => {
  it.each(documents())('in %s', (document) => {
    expect(brokenLinks(document, read)).toEqual([]);
  });

  it.each([
    ['a file that does not exist', '[a](gone.md)'],
    ['a heading that does not exist', '[a](#gone)'],
    ['a heading of another document', '[a](other.md#gone)'],
    ['an image', '![a](gone.svg)'],
    ['a reference', '[a][b]\n\n[b]: gone.md\n'],
    ['a link in a table', '| a |\n|---|\n| [a](gone.md) |\n'],
    ['what lies outside the project', '[a](../../other.md)'],
  ])('found: %s', (_, text) => {
    const files: Record<string, string> = {
      'docs/a.md': text,
      'docs/other.md': '# There',
      '../other.md': '',
    };
    expect(brokenLinks('docs/a.md', (path) => files[path])).toHaveLength(1);
  });

  it.each([
    '[a](other.md#there-it-is)',
    '[a](../README.md)',
    '[a](https://example.com/gone)',
    '[a](#here)\n\n# Here',
  ])('right: %s', (text) => {
    const files: Record<string, string> = {
      'docs/a.md': text,
      'docs/other.md': '# There *it* is',
      'README.md': '',
    };
    expect(brokenLinks('docs/a.md', (path) => files[path])).toEqual([]);
  });

  it('anchors are named as GitHub names them', () => {
    expect([...anchorsOf('# `held`\n\n## Not found?\n\n## Not found?\n\n<a id="x"></a>\n')]).toEqual([
      'held',
      'not-found',
      'not-found-1',
      'x',
    ]);
  });
});
