import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

/** A template of CloudFormation, as far as it is read. */
export interface Template {
  readonly Resources?: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: unknown;
}

/** Of the properties of a global table, those that a table of one Region has as well. */
type TableProperties = Pick<
  CreateTableCommandInput,
  'AttributeDefinitions' | 'BillingMode' | 'KeySchema' | 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes'
>;

/**
 * The requests that make the tables of a template in a local DynamoDB. Each is called by its logical id. What a local engine has
 * none of is left out: replicas, encryption, protection, recovery. Pure.
 */
export function createTablesOf({ Resources = {} }: Template): CreateTableCommandInput[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::DynamoDB::GlobalTable' ? [createTable(id, Properties as TableProperties)] : [],
  );
}

function createTable(TableName: string, properties: TableProperties): CreateTableCommandInput {
  const { AttributeDefinitions, BillingMode, KeySchema } = properties;
  const { GlobalSecondaryIndexes, LocalSecondaryIndexes } = properties;
  return {
    ...{ TableName, AttributeDefinitions, BillingMode, KeySchema },
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
    ...(LocalSecondaryIndexes && { LocalSecondaryIndexes }),
  };
}
