import { createRequire } from 'node:module';

/*
 * What we lean on in dynalite, and nothing else. The package has neither types nor a public way to add
 * an operation, so its modules are required one by one and put behind a dispatcher of our own; they are
 * never patched. `test/testing/dynalite-contract.test.ts` fails where any of this moves.
 */

/** The one version whose insides these types describe. */
const supportedVersion = '4.0.0';

export type Callback<Value> = (error: unknown, value?: Value) => void;

/** An attribute in the form of the wire: `{ S: 'a' }`. */
export type AttributeValue = { readonly [type: string]: unknown };
export type Item = { readonly [attribute: string]: AttributeValue };

export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

export interface Table {
  readonly TableName: string;
  readonly TableStatus: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
}

/** A queue per key: `run` is called once the key is free, and wraps its callback with `release`. */
export type Release = <F extends (...values: never[]) => void>(done: F) => F;
export type Lock = (key: string, run: (release: Release) => void) => void;

/** A key range of the one database: dynalite prefixes every key with the range's name. */
export interface KeyRange {
  readonly lock: Lock;
  get(key: string, done: Callback<Item>): void;
  put(key: string, value: unknown, done: Callback<void>): void;
  del(key: string, done: Callback<void>): void;
}

export type BatchOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string };

/** The LevelDB underneath, on disk or in memory. */
export interface Level {
  open(): Promise<void>;
  get(key: string, done: Callback<unknown>): void;
  put(key: string, value: unknown, done: Callback<void>): void;
  del(key: string, done: Callback<void>): void;
  batch(operations: readonly BatchOperation[], done: Callback<void>): void;
  close(done: Callback<void>): void;
}

export interface StoreOptions {
  readonly path?: string;
  readonly createTableMs?: number;
  readonly updateTableMs?: number;
  readonly deleteTableMs?: number;
}

export interface Store {
  readonly options: { readonly maxItemSize: number };
  readonly db: Level;
  getItemDb(tableName: string): KeyRange;
  getIndexDb(type: string, tableName: string, indexName: string): KeyRange;
  /** Without `mustBeActive` a table that is being created or deleted is not found. */
  getTable(
    tableName: string,
    ...rest: [Callback<Table>] | [mustBeActive: boolean, done: Callback<Table>]
  ): void;
}

export type Input = { [parameter: string]: unknown };
export type Output = { readonly [member: string]: unknown };
export type Action = (store: Store, input: Input, done: Callback<Output>) => void;

/** The description of an operation's input that dynalite's checks understand. */
export type InputTypes = { readonly [parameter: string]: unknown };
export interface InputRules {
  readonly types: InputTypes;
  readonly custom?: (input: Input, store: Store) => string | undefined;
}

export interface Dynalite {
  readonly db: {
    create(options: StoreOptions): Store;
    validateKey(key: Item, table: Table): Error | undefined;
    validateItem(item: Item, table: Table): Error | undefined;
    createKey(item: Item, table: Table): string;
    /** In bytes, but with the text counted in UTF-16 units. */
    itemSize(item: Item): number;
    mapPath(path: readonly (string | number)[], item: Item): AttributeValue | undefined;
  };
  readonly validations: {
    checkTypes(input: Input, types: InputTypes): Input;
    checkValidations(input: Input, types: InputTypes, custom: InputRules['custom'], store: Store): void;
    /** What is wrong with a value. It brings numbers into their normal form on the way. */
    validateAttributeValue(value: AttributeValue): string | undefined;
  };
  /** @param operation as on the wire: `PutItem`. */
  action(operation: string): Action;
  rules(operation: string): InputRules;
}

/**
 * Loads dynalite, which is an optional peer: only those who start a local DynamoDB need it.
 *
 * @throws where it is missing, or is not the version whose insides are known here.
 */
export function loadDynalite(): Dynalite {
  const require = createRequire(import.meta.url);
  const installed = installedVersion(require);
  if (installed !== supportedVersion) {
    throw new Error(
      `startLocalDynamoDB() needs dynalite ${supportedVersion}, but ${installed ?? 'it'} is ${
        installed === undefined ? 'not ' : ''
      }installed. Run: npm install --save-dev --save-exact dynalite@${supportedVersion}`,
    );
  }
  const fileName = (operation: string) => operation.charAt(0).toLowerCase() + operation.slice(1);
  return {
    db: require('dynalite/db'),
    validations: require('dynalite/validations'),
    action: (operation) => require(`dynalite/actions/${fileName(operation)}`),
    rules: (operation) => require(`dynalite/validations/${fileName(operation)}`),
  };
}

function installedVersion(require: NodeJS.Require): string | undefined {
  try {
    return (require('dynalite/package.json') as { version: string }).version;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
