import {
  defaultAttributes,
  type HiddenAttributes,
  type Item,
  isLive,
  storedVersion,
} from '../dynamo/attributes.ts';
import { checkTableName, type Wire, wireOf } from '../dynamo/client.ts';
import { decodeItem } from '../dynamo/decode.ts';
import { formatPath } from '../dynamo/document-path.ts';
import { encodeItem } from '../dynamo/encode.ts';
import { hiddenAttributeError, refuseHiddenAttributes } from '../dynamo/guard-checks.ts';
import type { ExpressionParts } from '../dynamo/placeholders.ts';
import type { FencedTable } from '../dynamo/plan.ts';
import { writtenPaths } from '../dynamo/update-expression.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { type Fence, sessionOf } from '../fence/fence.ts';
import { derivedKeys } from './derived-keys.ts';
import { checkHiddenNames } from './hidden-names.ts';
import type { KeySchema } from './key-schema.ts';
import { namedKeys } from './named-keys.ts';
import type { FencedRepositoryOptions } from './options.ts';

/** An item as users see it, with the version for `ifVersion`. */
export interface Versioned<T> {
  readonly item: T;
  readonly version: string;
}

/** What all verbs of a repository share: the table, and the way from its items to the users' and back. */
export class Table<T extends object, K extends keyof T> implements FencedTable {
  readonly tableName: string;
  readonly attributes: HiddenAttributes;
  readonly unfenced: FencedTable['unfenced'];
  readonly wire: Wire;
  readonly keys: KeySchema<T, K>;
  readonly checkIndexes: boolean;
  /** The indexes that are known to hold what tells deleted items apart. */
  readonly checkedIndexes = new Set<string>();
  readonly #resource: (identity: Pick<T, K>) => string;
  readonly #hidden: ReadonlySet<string>;
  readonly #numbers: ((text: string) => unknown) | undefined;

  constructor(options: FencedRepositoryOptions<T, K>) {
    this.tableName = checkTableName(options.tableName);
    this.attributes = { ...defaultAttributes, ...options.attributes };
    this.unfenced = options.unfenced ?? 'adopt';
    this.wire = wireOf(options);
    this.keys = typeof options.key === 'function' ? derivedKeys(options.key) : namedKeys(options.key);
    this.checkIndexes = options.checkIndexes ?? true;
    this.#resource = options.resource;
    this.#numbers = options.numbers;
    this.#hidden = checkHiddenNames(this.attributes);
    this.#refuseHiddenKeys(this.keys.names);
    if (typeof this.#resource !== 'function') {
      throw new InvalidInputError(
        'resource',
        'it is no function',
        'Pass one that makes the name of the resource out of what identifies an item.',
      );
    }
  }

  /** The key in attribute value form. */
  keyOf(identity: Pick<T, K>): Item {
    const key = this.keys.keyOf(identity);
    this.#refuseHiddenKeys(Object.keys(key));
    return key;
  }

  #refuseHiddenKeys(names: readonly string[]): void {
    for (const name of names) {
      if (this.#hidden.has(name)) throw hiddenAttributeError('key', name);
    }
  }

  /**
   * Makes sure that a fence is one for the resource that guards this item: tokens of two resources come
   * from two counters and say nothing about each other.
   */
  checkFence(fence: Fence, identity: Pick<T, K>): void {
    const { resource } = sessionOf(fence);
    const guardedBy: unknown = this.#resource(identity);
    if (resource === guardedBy) return;
    if (typeof guardedBy !== 'string' || guardedBy === '') {
      throw new InvalidInputError(
        'resource',
        `the resource function gave ${guardedBy instanceof Promise ? 'a Promise' : describe(guardedBy)}, which is no name`,
        'Return the name of what guards the item, at once, as a text: account/a1.',
      );
    }
    throw new InvalidInputError(
      'fence',
      `it is for ${resource}, and this item is guarded by ${describe(guardedBy)}`,
      'Acquire the lease on the resource that guards the item.',
    );
  }

  /** A whole item in attribute value form. */
  encode(item: T, key: Item): Item {
    const encoded = encodeItem(item, 'item');
    for (const name of Object.keys(encoded)) {
      if (this.#hidden.has(name)) throw hiddenAttributeError(`item.${name}`, name);
      if (this.keys.unseenNames(item).includes(name)) {
        throw new InvalidInputError(
          `item.${name}`,
          'the key function makes this attribute, so an item cannot bring its own',
          'Leave it out of the item, or give the key attribute another name.',
        );
      }
    }
    return { ...encoded, ...key };
  }

  /** An item as users see it: without what the fence keeps, and without key attributes that a function made. */
  decode(item: Item): T {
    const visible = Object.entries(item).filter(([name]) => !this.#hidden.has(name));
    const decoded = decodeItem(Object.fromEntries(visible), { numbers: this.#numbers });
    for (const name of this.keys.unseenNames(decoded)) delete decoded[name];
    return decoded as T;
  }

  /** An item with its version, or undefined where users see none. */
  view(item: Item | undefined): Versioned<T> | undefined {
    if (!isLive(item, this.attributes)) return undefined;
    return { item: this.decode(item), version: storedVersion(item, this.attributes) };
  }

  /** Refuses expressions that touch what the fence keeps. `path` is what their writer knows them as. */
  refuseHidden(parts: ExpressionParts, path: string): void {
    refuseHiddenAttributes(parts, this.attributes, path);
  }

  /** Refuses changes of what identifies the item: it would no longer be where its key says. */
  refuseMoves(changes: ExpressionParts, key: Item, identity: Pick<T, K>): void {
    const identifying = new Set([...Object.keys(key), ...Object.keys(this.keys.identifying(identity))]);
    for (const path of writtenPaths(changes.UpdateExpression ?? '', changes.ExpressionAttributeNames)) {
      if (!identifying.has(String(path[0]))) continue;
      throw new InvalidInputError(
        `changes.${formatPath(path)}`,
        'it is part of what identifies the item, and cannot change',
        'Create an item under the new key, and delete this one.',
      );
    }
  }
}

/** The name of a key attribute: enough for a condition that asks whether an item exists. */
export function keyAttribute(key: Item): string {
  return Object.keys(key)[0] as string;
}
