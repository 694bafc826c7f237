import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { definitions as booking } from '../../examples/booking/definitions.ts';
import { definitions as ledger } from '../../examples/ledger/definitions.ts';
import { createTablesOf } from '../../examples/local/create-tables-of.ts';
import { DataStack } from '../../infra/stacks/data-stack.ts';
import { defaultAttributes } from '../../src/dynamo/attributes.ts';
import { createTableInput, type TableDefinition } from '../../src/testing/table-definition.ts';
import { offlineApp } from './offline-app.ts';

const app = offlineApp();
const stack = new DataStack(app, 'Data');
const template = Template.fromStack(stack);
const tables = Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));
const made = new Map(createTablesOf(template.toJSON()).map((input) => [input.TableName, input]));

const hidden = Object.values(defaultAttributes);

/** A table as its program defines it, with all that an index has to project besides. */
function expected(tableName: string, definition: Omit<TableDefinition, 'tableName'>) {
  const { GlobalSecondaryIndexes = [], ...table } = createTableInput({ tableName, ...definition });
  const indexes = GlobalSecondaryIndexes.map((index) => ({
    ...index,
    Projection: {
      ...index.Projection,
      NonKeyAttributes: [...new Set([...(index.Projection?.NonKeyAttributes ?? []), ...hidden])],
    },
  }));
  return { ...table, ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }) };
}

describe.each([
  ['the ledger', ledger, stack.ledger],
  ['the bookings', booking, stack.booking],
] as const)('%s', (_, definitions, { leases, items }) => {
  it.each(Object.entries(definitions))('has %s as its program defines it', (name, definition) => {
    const all = { leases, ...items } as Record<string, { readonly tableName: string }>;
    const { Ref: id } = stack.resolve(all[name]?.tableName);
    expect(made.get(id)).toEqual(expected(id, definition));
    template.hasOutput('*', { Value: { Ref: id } });
  });
});

it('there are no other tables', () => {
  expect(made.size).toBe(Object.keys({ ...ledger }).length + Object.keys({ ...booking }).length);
});

it('loses no fence: every table is retained, protected and recoverable, and nothing in it expires', () => {
  const durable = {
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: Match.absent(),
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    },
  };
  template.allResources('AWS::DynamoDB::GlobalTable', durable);
});

it('is in one Region: between Regions without strong consistency, conditions do not hold', () => {
  for (const table of tables) expect(table.Properties.Replicas).toHaveLength(1);
});

it('needs no look-up in an account', () => {
  expect(app.synth().manifest.missing ?? []).toEqual([]);
});
