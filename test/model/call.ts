import type { ItemVerb } from './event.ts';

/** One call of a holder that writes an item, and what became of it. */
export interface Call {
  /** In words: `A add k (token 100000)`. */
  readonly name: string;
  readonly verb: ItemVerb;
  readonly key: string;
  readonly token: number;
  readonly holder: string;
  /** How often the storage accepted a write of its content: one logical write has many copies. */
  applied: number;
  /** The balance that it left when it was applied; for a delete, what it removed. */
  left: number | undefined;
  /** For a rewrite, the version that its claim told the caller; undefined before the answer to a claim that it begins with. */
  read: string | undefined;
  /** Whether an answer was lost, delayed or late: then, and only then, its outcome may stay open. */
  disturbed: boolean;
  /** Whether the network made a copy of its own of one of its requests: nobody counts that one. */
  duplicated: boolean;
  /** What its caller was told last; undefined while it is under way. */
  told: string | undefined;
}
