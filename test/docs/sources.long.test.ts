import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/documents.mjs';
import { missing } from '../sources/installed.ts';
import { measureSources, withSources } from './sources/source-table.ts';

describe.skipIf(missing.length > 0)('what each source of tokens does', () => {
  it('is what docs/sources.md says (else: npm run docs:sources)', async () => {
    const document = readFileSync(`${root}docs/sources.md`, 'utf8');
    expect(document).toBe(withSources(document, await measureSources()));
  });
});
