import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { BankStack } from '../../examples/cdk-tables.ts';
import { DataStack } from '../../infra/stacks/data-stack.ts';
import { offlineApp } from '../infra/offline-app.ts';

function tablesOf(stack: Stack): object[] {
  const tables = Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable');
  return Object.values(tables).map(({ Properties, DeletionPolicy, UpdateReplacePolicy }) => ({
    Properties,
    DeletionPolicy,
    UpdateReplacePolicy,
  }));
}

const bank = tablesOf(new BankStack(offlineApp(), 'Bank'));
const ours = tablesOf(new DataStack(offlineApp(), 'Data'));

// The stack's own say more: for how long they can be restored, and how they are encrypted.
it('examples/cdk-tables.ts makes the tables that the stack of this project makes', () => {
  expect(bank).toHaveLength(2);
  expect(ours).toMatchObject(bank);
});
