import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { BankStack } from '../../examples/cdk-tables.ts';
import { DataStack } from '../../infra/stacks/data-stack.ts';
import { offlineApp } from '../infra/offline-app.ts';

const tablesOf = (stack: Stack) => Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable');

it('examples/cdk-tables.ts makes the very tables that the stack of this project makes', () => {
  const bank = tablesOf(new BankStack(offlineApp(), 'Bank'));
  const ours = tablesOf(new DataStack(offlineApp(), 'Data'));
  expect(Object.keys(bank)).toHaveLength(2);
  // Logical ids included, so that one can take the place of the other without making the tables anew.
  expect(ours).toEqual(expect.objectContaining(bank));
});
