import type { Item } from '../../../dynamo/attributes.ts';
import { checkTableName } from '../../../dynamo/client.ts';
import { encodeMadeKey } from '../../../dynamo/made-key.ts';
import { checkName } from '../../../dynamo/text.ts';
import { InvalidInputError } from '../../../fence/errors.ts';
import { checkResource } from '../../../fence/fence.ts';
import { defaultLeaseAttributes, type LeaseAttributes } from './lease-attributes.ts';

/** The primary key of a lease row, in plain values: the partition key first, then the sort key if there is one. */
export type LeaseKey = Readonly<Record<string, string | number | bigint | Uint8Array>>;

export interface LeaseTableOptions {
  /** The name or ARN of the table. */
  readonly tableName: string;
  /** Other names for the attributes of a row. Default: `resource`, `token`, `holder`, `expiresAtMs`, `data`. */
  readonly names?: Partial<LeaseAttributes>;
  /**
   * Makes the primary key of a row, for leases that live in a table with other things. Default: the resource
   * as the partition key, under `names.resource`.
   */
  readonly key?: (resource: string) => LeaseKey;
}

/** Where the row of a resource is, and what its attributes are called. */
export interface LeaseTable {
  readonly tableName: string;
  readonly names: Omit<LeaseAttributes, 'resource'>;
  /** The key in attribute value form. @throws InvalidInputError where the resource is no name, or the key none. */
  keyOf(resource: string): Item;
}

export function leaseTable(options: LeaseTableOptions): LeaseTable {
  const { resource: keyName, ...names } = { ...defaultLeaseAttributes, ...options.names };
  const makeKey = options.key ?? ((resource: string) => ({ [keyName]: resource }));
  checkNames([...Object.values(names), ...(options.key === undefined ? [keyName] : [])]);
  const reserved = new Set(Object.values(names));
  return {
    tableName: checkTableName(options.tableName),
    names,
    keyOf: (resource) => encodeKey(makeKey(checkResource(resource)), reserved),
  };
}

function checkNames(names: readonly string[]): void {
  if (names.some((name) => typeof name !== 'string' || name === '')) {
    throw new InvalidInputError('names', 'a name is empty', 'Leave out the names that you do not change.');
  }
  for (const name of names) checkName(name, 'names');
  if (new Set(names).size < names.length) {
    throw new InvalidInputError('names', 'two attributes have one name', 'Give each a name of its own.');
  }
}

function encodeKey(made: LeaseKey, reserved: ReadonlySet<string>): Item {
  const key = encodeMadeKey(made);
  const clash = Object.keys(key).find((name) => reserved.has(name));
  if (clash === undefined) return key;
  throw new InvalidInputError(
    `key.${clash}`,
    'a lease row keeps something else under this name',
    'Rename that attribute with the option names.',
  );
}
