import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { resourcesOf, type Template } from './template.ts';

/** Of the properties of a global table, those that a table of one Region has as well. */
type TableProperties = Pick<
  CreateTableCommandInput,
  'AttributeDefinitions' | 'BillingMode' | 'KeySchema' | 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes'
>;

/**
 * The requests that make the tables of a template in a local DynamoDB. Each is called by its logical id. What a local engine has
 * none of is left out: replicas, encryption, protection, recovery. Pure.
 */
export function createTablesOf(template: Template): CreateTableCommandInput[] {
  const tables = resourcesOf<TableProperties>(template, 'AWS::DynamoDB::GlobalTable');
  return tables.map(([TableName, properties]) => {
    const { AttributeDefinitions, BillingMode, KeySchema } = properties;
    const { GlobalSecondaryIndexes, LocalSecondaryIndexes } = properties;
    return {
      ...{ TableName, AttributeDefinitions, BillingMode, KeySchema },
      ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
      ...(LocalSecondaryIndexes && { LocalSecondaryIndexes }),
    };
  });
}
