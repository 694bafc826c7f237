import type { Operation } from './context.ts';
import { dynaliteOperation } from './dynalite-operation.ts';
import { scan } from './scan.ts';
import { singleWrite } from './single-write.ts';
import { createTable, deleteTable, updateTable } from './table-change.ts';
import { describeTimeToLive, updateTimeToLive } from './time-to-live.ts';
import { transactGet } from './transact-get.ts';
import { transactWrite } from './transact-write.ts';

const asInDynalite = [
  'BatchGetItem',
  'BatchWriteItem',
  'DescribeTable',
  'GetItem',
  'ListTables',
  'ListTagsOfResource',
  'Query',
  'TagResource',
  'UntagResource',
];

/** Everything that the local DynamoDB can do, by the name on the wire. */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ...asInDynalite.map((name): [string, Operation] => [name, dynaliteOperation(name)]),
  ['PutItem', singleWrite('PutItem')],
  ['UpdateItem', singleWrite('UpdateItem')],
  ['DeleteItem', singleWrite('DeleteItem')],
  ['Scan', scan],
  ['TransactWriteItems', transactWrite],
  ['TransactGetItems', transactGet],
  ['CreateTable', createTable],
  ['UpdateTable', updateTable],
  ['DeleteTable', deleteTable],
  ['UpdateTimeToLive', updateTimeToLive],
  ['DescribeTimeToLive', describeTimeToLive],
]);
