import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  DescribeTableCommand,
  type DescribeTableCommandInput,
  GetItemCommand,
  type GetItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  type TableDescription,
  TransactGetItemsCommand,
  type TransactGetItemsCommandInput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { abortable } from '../fence/abortable.ts';
import type { Deadline } from '../fence/deadline.ts';
import type { Item } from './attributes.ts';
import type { Wire } from './client.ts';
import { asOneCopy, type CopyOptions } from './one-copy.ts';
import { classify, type WireFailure } from './wire-error.ts';

/** A request as a value. There is deliberately no DeleteItem, no BatchWriteItem and no PartiQL among them. */
export type Request =
  | { readonly op: 'PutItem'; readonly input: PutItemCommandInput }
  | { readonly op: 'UpdateItem'; readonly input: UpdateItemCommandInput }
  | { readonly op: 'GetItem'; readonly input: GetItemCommandInput }
  | { readonly op: 'BatchGetItem'; readonly input: BatchGetItemCommandInput }
  | { readonly op: 'Query'; readonly input: QueryCommandInput }
  | { readonly op: 'Scan'; readonly input: ScanCommandInput }
  | { readonly op: 'DescribeTable'; readonly input: DescribeTableCommandInput }
  | { readonly op: 'TransactWriteItems'; readonly input: TransactWriteItemsCommandInput }
  | { readonly op: 'TransactGetItems'; readonly input: TransactGetItemsCommandInput };

const commands = {
  PutItem: PutItemCommand,
  UpdateItem: UpdateItemCommand,
  GetItem: GetItemCommand,
  BatchGetItem: BatchGetItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  DescribeTable: DescribeTableCommand,
  TransactWriteItems: TransactWriteItemsCommand,
  TransactGetItems: TransactGetItemsCommand,
};

/** The parts of the SDK's outputs that are used here. */
export interface Output {
  readonly Attributes?: Item;
  readonly Item?: Item;
  readonly Items?: Item[];
  readonly Count?: number;
  readonly LastEvaluatedKey?: Item;
  /** By table; of TransactGetItems, by place. */
  readonly Responses?: Record<string, Item[]> | readonly { readonly Item?: Item }[];
  readonly UnprocessedKeys?: BatchGetItemCommandInput['RequestItems'];
  readonly Table?: TableDescription;
  /** Of a transaction, where it was asked for. */
  readonly ConsumedCapacity?: readonly {
    readonly ReadCapacityUnits?: number | undefined;
    readonly WriteCapacityUnits?: number | undefined;
  }[];
}

export type CopyOutcome =
  | { readonly is: 'done'; readonly output: Output }
  | { readonly is: WireFailure; readonly error: unknown }
  /** It did not leave, because of an objection. */
  | { readonly is: 'withdrawn'; readonly error: Error };

/**
 * Sends one copy of a request, once, and tells what became of it. Nothing goes out after the deadline, or against
 * an objection.
 */
export async function sendCopy(
  { client }: Wire,
  { op, input }: Request,
  deadline: Deadline,
  copy: CopyOptions,
): Promise<CopyOutcome> {
  if (deadline.over) return { is: 'unsendable', error: deadline.signal.reason };
  const objection = copy.objection?.();
  if (objection !== undefined) return { is: 'withdrawn', error: objection };
  // biome-ignore lint/suspicious/noExplicitAny: the commands' types differ, what is added to them does not.
  const command: any = new (commands[op] as new (input: any) => any)(input);
  const journey = asOneCopy(command, deadline, copy);
  try {
    // Some transports do not listen to the signal, so the wait ends by itself.
    // An options object also switches the client's handler cache off, which would ignore this command's middleware.
    const sent: Promise<Output> = client.send(command, { abortSignal: deadline.signal });
    return { is: 'done', output: await abortable(sent, deadline.signal) };
  } catch (error) {
    const { departed, withdrawn } = journey;
    if (withdrawn !== undefined && !departed) return { is: 'withdrawn', error: withdrawn };
    // The reason of a signal is the caller's: whatever it looks like, it is no answer to this copy.
    if (deadline.signal.aborted && error === deadline.signal.reason) {
      return { is: departed ? 'undecided' : 'unsendable', error };
    }
    return { is: classify(error, departed), error };
  }
}
