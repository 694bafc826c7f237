import { readFileSync } from 'node:fs';

/** What an entry of `exports` says, for code and for types. */
export interface ExportTarget {
  readonly types: string;
  readonly default: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, ExportTarget | string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { optional: boolean }>>;
}

export const manifest: Manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The subpaths that lead to code. */
export function codeExports(): [subpath: string, target: ExportTarget][] {
  return Object.entries(manifest.exports).filter((entry): entry is [string, ExportTarget] => {
    return typeof entry[1] === 'object';
  });
}

/** The source of what the build emits. */
export function sourceOf(emitted: string): string {
  return emitted.replace(/^\.\/dist\//, '').replace(/(\.d\.ts|\.js)$/, '.ts');
}

/** The sources that the package lets others load or run. */
export function entryFiles(): string[] {
  const emitted = [
    ...codeExports().map(([, target]) => target.default),
    ...Object.values(manifest.bin ?? {}),
  ];
  return [...new Set(emitted.map(sourceOf))];
}
