import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from './source-tree.ts';

// This file has to write down what it forbids.
const skipped = /(^|\/)(node_modules|dist|cdk\.out|coverage|\.git)$|self-contained\.test\.ts$|\.tgz$/;

const forbidden: readonly [what: string, pattern: RegExp][] = [
  ['a path of somebody’s machine', /(?<![\w.:/])\/(home|root|Users|work|tmp|var|private)\/\w/],
  ['work that is not done', /\b(TODO|FIXME|XXX|HACK)\b/],
  ['an issue that only we could look up: write owner/repository#1', /\b(issue|ticket|task|PR) #?\d+\b/i],
  ['the address of a registry', /"resolved": "http/],
];

/** What a text says that means nothing to a reader elsewhere, as `line: what`. */
function meaningless(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      forbidden.flatMap(([what, pattern]) => (pattern.test(line) ? [`${index + 1}: ${what}`] : [])),
    );
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(root + folder, { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (skipped.test(path)) continue;
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

describe('the project can be read without knowing where it was made', () => {
  it('in every file', () => {
    const found = [...filesBelow('')].flatMap((path) =>
      meaningless(readFileSync(root + path, 'utf8')).map((what) => `${path}:${what}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'cd /home/me/project',
    '// TODO: later',
    'as issue 12 says',
    '"resolved": "https://example.com/a.tgz"',
  ])('found: %s', (text) => {
    expect(meaningless(text)).toHaveLength(1);
  });

  it.each([
    'see architect/dynalite#183',
    'https://example.com/home/me',
    'import ../work/a',
    '#!/usr/bin/env bash',
  ])('right: %s', (text) => {
    expect(meaningless(text)).toEqual([]);
  });
});
