import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { UnfencedPolicy } from '../dynamo/admission.ts';
import type { HiddenAttributes } from '../dynamo/attributes.ts';
import type { WireOptions } from '../dynamo/client.ts';
import type { WriteOptions } from '../dynamo/in-turn.ts';
import type { Conditions } from '../dynamo/operators.ts';
import type { KeyDefinition } from './key-schema.ts';

/** What a `FencedRepository` is made of. */
export interface FencedRepositoryOptions<T extends object, K extends keyof T> extends WireOptions {
  /** The name or the ARN of the table. */
  readonly tableName: string;
  /** The names of the key attributes, or a function for single-table keys. See {@link KeyDefinition}. */
  readonly key: KeyDefinition<T, K>;
  /** Which resource guards an item: a fence for another one is refused before anything is sent. */
  readonly resource: (identity: Pick<T, K>) => string;
  /** Checks whole items on `create` and `put`; what it outputs is stored. Updates and reads are not validated. */
  readonly schema?: StandardSchemaV1<unknown, T>;
  /** Items that were written before fencing: stamped on first touch (`adopt`, the default), or refused. */
  readonly unfenced?: UnfencedPolicy;
  /** Other names for the hidden attributes. All writers of a table must use the same. */
  readonly attributes?: Partial<HiddenAttributes>;
  /**
   * Whether the projection of an index is looked up before it is first read: without the hidden attributes it
   * would show deleted items. Costs one DescribeTable per index and repository, which the role must allow
   * (`dynamodb:DescribeTable` on the table; without it the query is answered AccessDeniedException). Default true.
   */
  readonly checkIndexes?: boolean;
  /**
   * Whether the table can take part in transactions. With `false` every use of `plan` throws: for tables with
   * multi-Region strong consistency, which refuse TransactWriteItems. Default true.
   */
  readonly transactions?: boolean;
  /** What becomes of a stored number that JavaScript cannot hold exactly (a long fraction). Default: an error that says so. */
  readonly numbers?: (text: string) => unknown;
}

/** Conditions of the caller's own. */
export interface ConditionOptions<T> {
  /**
   * All of these must hold, or the write is refused: with `condition`, or with `not-found` where there is no
   * item. Of an item that is not there `notExists()` and `ne()` hold, as in DynamoDB, so a `put` or an upsert
   * on nothing else makes one.
   */
  readonly when?: Conditions<T>;
  /** The version that the item must still have, or the write is refused: with `version`, or with `not-found`. CorruptFenceError where what is stored is no version. */
  readonly ifVersion?: string;
}

/** What `plan.check` takes. */
export interface CheckOptions<T> extends ConditionOptions<T> {
  /** Ask that there is no item, instead of one. It goes with no other condition. Default false. */
  readonly absent?: boolean;
}

/** What `put` and `delete` take. */
export interface ConditionalWriteOptions<T> extends WriteOptions, ConditionOptions<T> {}

/** What `update` takes. */
export interface UpdateOptions<T> extends ConditionalWriteOptions<T> {
  /** Make the item if there is none. Default false: `not-found`. */
  readonly upsert?: boolean;
}
