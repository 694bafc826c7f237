import type { Dynalite, Input, Output, Store } from './dynalite.ts';
import type { ItemLocks } from './item-locks.ts';
import type { RequestTokens } from './request-tokens.ts';

/** A write that has passed its checks and is about to be stored. */
export interface PendingWrite {
  /** `PutItem`, `UpdateItem`, `DeleteItem` or `TransactWriteItems`. */
  readonly operation: string;
  /** The tables that it touches, each once, in the order of the request. */
  readonly tableNames: readonly string[];
}

/** Called between the check of a write and its commit, while the locks of its items are held. */
export type BeforeCommit = (write: PendingWrite) => void | Promise<void>;

/** What an operation may use. */
export interface EngineContext {
  readonly dynalite: Dynalite;
  readonly store: Store;
  readonly locks: ItemLocks;
  readonly tokens: RequestTokens;
  /** Whether a failed condition shows the item that it was judged on, where the request asks for it. */
  readonly returnItems: boolean;
  /** Whether who meets a running transaction waits for it, or is turned away as on AWS. */
  readonly conflicts: 'queue' | 'reject';
  /** Waits for the caller's hook. Rejects once the engine closes, so that a paused write cannot hold it open. */
  beforeCommit(write: PendingWrite): Promise<void>;
}

/** One operation of the API: parsed JSON in, JSON out; refusals are thrown as `ApiError`. */
export type Operation = (context: EngineContext, input: Input) => Promise<Output>;
