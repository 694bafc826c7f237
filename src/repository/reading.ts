import type { QueryCommandInput, ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../dynamo/attributes.ts';
import { read } from '../dynamo/read.ts';
import type { Output, Request } from '../dynamo/send.ts';
import { within } from '../fence/within.ts';
import { checkProjection } from './index-projection.ts';
import type { PageOptions } from './page-options.ts';
import type { Table } from './table.ts';

/** The parts that are not about paging. */
export type ReadInput = Omit<
  QueryCommandInput & ScanCommandInput,
  'TableName' | 'Limit' | 'ExclusiveStartKey' | 'Select'
>;

/** One stream of pages: what to ask, and how. `timeoutMs` bounds each page, not what its reader does in between. */
export interface Reading {
  readonly op: 'Query' | 'Scan';
  readonly input: ReadInput;
  readonly options: PageOptions;
}

/** Asks for rows from a position on. */
export type AskFrom = (
  from: Item | undefined,
  more: Pick<QueryCommandInput, 'Limit' | 'Select'>,
) => Promise<Output>;

/** Does the requests of one page within one deadline. */
export async function bounded<T extends object, K extends keyof T, R>(
  table: Table<T, K>,
  { op, input, options }: Reading,
  work: (ask: AskFrom, timeIsUp: () => boolean) => Promise<R>,
): Promise<R> {
  return within(table.wire.clock, options, async (deadline) => {
    if (table.checkIndexes && input.IndexName !== undefined) {
      await checkProjection(table, input.IndexName, deadline);
    }
    const ask: AskFrom = (from, more) => {
      const request = {
        op,
        input: {
          ...input,
          ...more,
          TableName: table.tableName,
          ...(options.consistent === undefined ? {} : { ConsistentRead: options.consistent }),
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        },
      } as Request;
      return read(table.wire, request, deadline);
    };
    return await work(ask, () => deadline.over && !deadline.abortedByCaller);
  });
}
