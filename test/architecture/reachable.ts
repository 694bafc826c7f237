import type { Source } from './source-tree.ts';

/** The files that these entries lead to, themselves included. */
export function reachable(sources: readonly Source[], entries: readonly string[]): Source[] {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const found = new Set<Source>();
  const visit = (path: string) => {
    const file = byPath.get(path);
    if (file === undefined || found.has(file)) return;
    found.add(file);
    for (const { file: imported } of file.imports) if (imported !== undefined) visit(imported);
  };
  entries.forEach(visit);
  return [...found];
}
