import type { Operation } from './context.ts';
import { dynaliteOperation } from './dynalite-operation.ts';
import { singleWrite } from './single-write.ts';
import { tableChange } from './table-change.ts';

/** Everything that the local DynamoDB can do, by the name on the wire. */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ...[
    'BatchGetItem',
    'BatchWriteItem',
    'DescribeTable',
    'DescribeTimeToLive',
    'GetItem',
    'ListTables',
    'ListTagsOfResource',
    'Query',
    'Scan',
    'TagResource',
    'UntagResource',
  ].map((name): [string, Operation] => [name, dynaliteOperation(name)]),
  ['PutItem', singleWrite('PutItem')],
  ['UpdateItem', singleWrite('UpdateItem')],
  ['DeleteItem', singleWrite('DeleteItem')],
  ['CreateTable', tableChange('CreateTable')],
  ['UpdateTable', tableChange('UpdateTable')],
  ['DeleteTable', tableChange('DeleteTable')],
]);
