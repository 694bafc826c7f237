import { type Attribute, AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { IndexDefinition, KeyAttribute, TableDefinition } from '../../src/testing/table-definition.ts';
import type { FencedTableProps } from '../constructs/fenced-table.ts';

/** The keys and indexes of a fenced table as its program defines them: there is one place that says what a table is. */
export function tableProps(definition: Omit<TableDefinition, 'tableName'>): FencedTableProps {
  return {
    ...keys(definition.partitionKey, definition.sortKey),
    globalSecondaryIndexes: (definition.indexes ?? []).map(globalIndex),
  };
}

function globalIndex({ indexName, partitionKey, sortKey, projection = 'all' }: IndexDefinition) {
  if (partitionKey === undefined) throw new Error(`${indexName} is a local index, and no example has one.`);
  return { indexName, ...keys(partitionKey, sortKey), ...projected(projection) };
}

function projected(projection: NonNullable<IndexDefinition['projection']>) {
  if (projection === 'all') return { projectionType: ProjectionType.ALL };
  if (projection === 'keys-only') return { projectionType: ProjectionType.KEYS_ONLY };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projection] };
}

function keys(partitionKey: KeyAttribute, sortKey: KeyAttribute | undefined) {
  return {
    partitionKey: attribute(partitionKey),
    ...(sortKey === undefined ? {} : { sortKey: attribute(sortKey) }),
  };
}

const types = { S: AttributeType.STRING, N: AttributeType.NUMBER, B: AttributeType.BINARY } as const;

function attribute(key: KeyAttribute): Attribute {
  return typeof key === 'string'
    ? { name: key, type: AttributeType.STRING }
    : { name: key.name, type: types[key.type] };
}
