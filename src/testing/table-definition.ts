import type {
  AttributeDefinition,
  CreateTableCommandInput,
  KeySchemaElement,
  Projection,
  ScalarAttributeType,
} from '@aws-sdk/client-dynamodb';

/** A key attribute: its name, of type `S`, or its name and type. */
export type KeyAttribute = string | { readonly name: string; readonly type: ScalarAttributeType };

/** One index of a {@link TableDefinition}. */
export interface IndexDefinition {
  readonly indexName: string;
  /** Left out for a local index, which shares the table's partition key. */
  readonly partitionKey?: KeyAttribute;
  readonly sortKey?: KeyAttribute;
  /** Which attributes the index holds beside the keys. Default: all. */
  readonly projection?: 'all' | 'keys-only' | readonly string[];
}

/** A table in the words of this library. It is billed per request, as everything local is free. */
export interface TableDefinition {
  readonly tableName: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute;
  readonly indexes?: readonly IndexDefinition[];
}

/** The CreateTable request for a definition; a request is given back as it is. Pure. */
export function createTableInput(table: TableDefinition | CreateTableCommandInput): CreateTableCommandInput {
  if (!('tableName' in table)) return table;
  const { tableName, partitionKey, sortKey, indexes = [] } = table;
  const local = indexes.filter((index) => index.partitionKey === undefined);
  const global = indexes.filter((index) => index.partitionKey !== undefined);
  const describe = (index: IndexDefinition) => ({
    IndexName: index.indexName,
    KeySchema: keySchema(index.partitionKey ?? partitionKey, index.sortKey),
    Projection: projection(index.projection),
  });
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(partitionKey, sortKey),
    AttributeDefinitions: attributeDefinitions([table, ...indexes]),
    ...(local.length > 0 ? { LocalSecondaryIndexes: local.map(describe) } : {}),
    ...(global.length > 0 ? { GlobalSecondaryIndexes: global.map(describe) } : {}),
  };
}

function keySchema(partitionKey: KeyAttribute, sortKey: KeyAttribute | undefined): KeySchemaElement[] {
  return [
    { AttributeName: named(partitionKey).name, KeyType: 'HASH' },
    ...(sortKey === undefined ? [] : [{ AttributeName: named(sortKey).name, KeyType: 'RANGE' as const }]),
  ];
}

function attributeDefinitions(
  keys: readonly Pick<IndexDefinition, 'partitionKey' | 'sortKey'>[],
): AttributeDefinition[] {
  const attributes = keys.flatMap(({ partitionKey, sortKey }) =>
    [partitionKey, sortKey].filter((key) => key !== undefined).map(named),
  );
  // An attribute that is a key twice is defined once.
  return [...new Map(attributes.map((attribute) => [attribute.name, attribute])).values()].map(
    ({ name, type }) => ({ AttributeName: name, AttributeType: type }),
  );
}

function projection(wanted: IndexDefinition['projection'] = 'all'): Projection {
  if (wanted === 'all') return { ProjectionType: 'ALL' };
  if (wanted === 'keys-only') return { ProjectionType: 'KEYS_ONLY' };
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...wanted] };
}

function named(key: KeyAttribute): { name: string; type: ScalarAttributeType } {
  return typeof key === 'string' ? { name: key, type: 'S' } : key;
}
