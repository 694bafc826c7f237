/** Why a table cannot hold fences. */
export type UnsafeTableCode =
  | 'FencedTableTtl'
  | 'FencedTableEventualReplica'
  | 'FencedTableStrongWithoutReplicas'
  | 'FencedTableStrongWithLocalIndex'
  | 'FencedTableReservedKey'
  | 'FencedTableKeyWithoutRegion'
  | 'FencedTableDenyNotAttached'
  | 'FencedTableOtherAccount';

/** A table, or a grant on one, under which a stale writer would get through. Thrown while the app is built. */
export class UnsafeTableError extends Error {
  override readonly name = 'UnsafeTableError';
  readonly code: UnsafeTableCode;
  /** The path of the construct in its app. */
  readonly path: string;

  /**
   * @param code what is wrong, for programs.
   * @param path the path of the construct.
   * @param what what is wrong, for people, as the end of a sentence that begins with the path.
   * @param fix what to do about it, as a sentence.
   */
  constructor(code: UnsafeTableCode, path: string, what: string, fix: string) {
    super(`${code}: ${path} ${what}. ${fix}`);
    this.code = code;
    this.path = path;
  }
}
