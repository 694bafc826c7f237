import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { BankStack } from '../../examples/cdk-tables.ts';
import { DataStack } from '../../infra/stacks/data-stack.ts';
import { offlineApp } from '../infra/offline-app.ts';

const tablesOf = (stack: Stack) =>
  Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));

it('examples/cdk-tables.ts makes tables that are those of the deployed ledger', () => {
  const bank = tablesOf(new BankStack(offlineApp(), 'Bank'));
  expect(bank).toHaveLength(2);
  const deployed = tablesOf(new DataStack(offlineApp(), 'Data'));
  for (const table of bank) expect(deployed).toContainEqual(table);
});
