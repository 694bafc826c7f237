import type { IPolicyValidationPlugin, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Role } from 'aws-cdk-lib/aws-iam';
import {
  FencedFunction,
  type FencedTable,
  type FencedTableProps,
  type FencingChecks,
  FencingMonitoring,
  LeaseTable,
} from 'dynamodb-fenced/cdk';
import { expect, test } from 'tstyche';

declare const stack: Stack;
declare const items: FencedTable;
declare const leases: LeaseTable;

test('a fenced table gives no way to the table inside, nor the grants of one', () => {
  expect<FencedTable>().type.not.toBeAssignableTo<TableV2>();
  expect(items).type.not.toHaveProperty('table');
  expect(items).type.not.toHaveProperty('grantWriteData');
  expect(items).type.not.toHaveProperty('grantReadWriteData');
  expect(leases).type.not.toHaveProperty('grantWriteData');
});

test('a time to live is no option that is known', () => {
  expect<FencedTableProps>().type.not.toHaveProperty('timeToLiveAttribute');
  expect(LeaseTable).type.not.toBeConstructableWith(stack, 'Leases', { timeToLiveAttribute: 'ttl' });
});

test('grants take whoever can be granted something', () => {
  expect(items.grantFencedWrite).type.toBeCallableWith({} as Role);
  expect(leases.grantLease).type.not.toBeCallableWith('arn:aws:iam::123456789012:role/teller');
});

test('a function writes to fenced tables alone', () => {
  expect(FencedFunction).type.toBeConstructableWith(stack, 'F', { entry: 'a.ts', leases, writes: { items } });
  expect(FencedFunction).type.not.toBeConstructableWith(stack, 'F', { entry: 'a.ts', writes: { leases } });
  expect(FencedFunction).type.not.toBeConstructableWith(stack, 'F', {
    entry: 'a.ts',
    writes: { t: {} as TableV2 },
  });
  expect(FencedFunction).type.not.toBeConstructableWith(stack, 'F', { leases });
});

test('the checks are a plugin of the CDK, and any table can be watched', () => {
  expect<FencingChecks>().type.toBeAssignableTo<IPolicyValidationPlugin>();
  expect(FencingMonitoring).type.toBeConstructableWith(stack, 'M', {
    tables: [items, leases, {} as TableV2],
  });
  expect(FencingMonitoring).type.not.toBeConstructableWith(stack, 'M', { fencedTreshold: 3 });
});
