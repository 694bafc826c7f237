import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documents, root } from '../../scripts/documents.mjs';
import { unquotedCode, withQuotes } from '../../scripts/quotes.mjs';

const read = (file: string) => readFileSync(root + file, 'utf8');

describe.each(documents())('%s', (document) => {
  it('quotes the examples as they are (else: npm run docs:quote)', () => {
    expect(read(document)).toBe(withQuotes(read(document), read));
  });

  it('has no code of its own, which nobody would compile', () => {
    expect(unquotedCode(read(document)).map((line) => `${document}:${line}`)).toEqual([]);
  });
});

describe('a quote', () => {
  const example = [
    "import { a } from 'a';",
    '',
    'export function main() {',
    '  // #region call',
    '  if (a) {',
    '    // #region inner',
    '    a();',
    '    // #endregion inner',
    '  }',
    '  // #endregion call',
    '}',
    '',
  ].join('\n');
  const quoting = (markdown: string) => withQuotes(markdown, () => example);

  it('replaces the block after its marker, without the indent that the region has', () => {
    const stale = 'Before.\n\n<!-- quote a.ts#call -->\n\n```ts\nold();\n```\n\nAfter.\n';
    expect(quoting(stale)).toBe(
      'Before.\n\n<!-- quote a.ts#call -->\n\n```ts\nif (a) {\n  a();\n}\n```\n\nAfter.\n',
    );
  });

  it('makes a block where there is none yet', () => {
    expect(quoting('<!-- quote a.ts#inner -->\n\nAfter.\n')).toBe(
      '<!-- quote a.ts#inner -->\n\n```ts\na();\n```\n\nAfter.\n',
    );
  });

  it('takes whole files, and several in one document', () => {
    const text = quoting('<!-- quote a.ts -->\n\n<!-- quote b.mjs#inner -->\n');
    expect(text).toContain('```ts\nimport { a }');
    expect(text).toContain('```mjs\na();\n```');
    expect(text).not.toContain('region call');
  });

  it('changes nothing the second time', () => {
    const once = quoting('<!-- quote a.ts#call -->\n');
    expect(quoting(once)).toBe(once);
  });

  it('of a region that does not exist is an error that names it', () => {
    expect(() => quoting('<!-- quote a.ts#gone -->\n')).toThrow('a.ts has no lines «// #region gone»');
  });

  it('is missed where code stands by itself', () => {
    expect(unquotedCode('Text.\n\n```ts\na();\n```\n\n```sh\nnpm test\n```\n')).toEqual([3]);
  });
});
