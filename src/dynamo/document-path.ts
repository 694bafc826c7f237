/** A document path as segments: attribute names, and list indexes as numbers. */
export type DocumentPath = readonly (string | number)[];

/** The first two paths of which one is the other or lies within it: DynamoDB refuses to write both. */
export function findOverlap(
  paths: readonly DocumentPath[],
): readonly [DocumentPath, DocumentPath] | undefined {
  for (const [index, a] of paths.entries()) {
    for (const b of paths.slice(index + 1)) {
      const shorter = a.length <= b.length ? a : b;
      const longer = shorter === a ? b : a;
      if (shorter.every((segment, depth) => segment === longer[depth])) return [a, b];
    }
  }
  return undefined;
}

/** A path as people write it: `lines[2].price`. */
export function formatPath(path: DocumentPath): string {
  return path.reduce<string>(
    (text, segment) =>
      typeof segment === 'number' ? `${text}[${segment}]` : text === '' ? segment : `${text}.${segment}`,
    '',
  );
}
