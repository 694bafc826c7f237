import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { codeExports, manifest, sourceOf } from './manifest.ts';

describe('exports and files agree', () => {
  it('offers the library, its kernel, its constructs, its operators, its events and its test kit', () => {
    expect(Object.keys(manifest.exports)).toEqual([
      '.',
      './kernel',
      './cdk',
      './expressions',
      './http',
      './lambda',
      './observe',
      './sequencer',
      './sources/etcd',
      './sources/redis',
      './sources/zookeeper',
      './testing',
      './package.json',
    ]);
  });

  it.each(codeExports())('%s has types first, then code, of one source that exists', (_, target) => {
    // Conditions are tried in order, so types that come second are never found.
    expect(Object.keys(target)).toEqual(['types', 'default']);
    expect(target.types).toMatch(/^\.\/dist\/.*\.d\.ts$/);
    expect(target.default).toMatch(/^\.\/dist\/.*\.js$/);
    expect(sourceOf(target.types)).toBe(sourceOf(target.default));
    expect(existsSync(root + sourceOf(target.default)), sourceOf(target.default)).toBe(true);
  });

  it('the API reference covers every entry', () => {
    const { entryPoints } = JSON.parse(readFileSync(`${root}typedoc.json`, 'utf8'));
    expect(entryPoints).toEqual(codeExports().map(([, target]) => sourceOf(target.default)));
  });

  it.each(Object.entries(manifest.bin ?? {}))('the command %s has a source', (_, file) => {
    expect(existsSync(root + sourceOf(file))).toBe(true);
  });

  it.each(manifest.files.filter((file) => file !== 'dist'))('%s, which is published, exists', (file) => {
    expect(existsSync(root + file)).toBe(true);
  });
});
