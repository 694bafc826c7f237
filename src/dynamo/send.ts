import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  GetItemCommand,
  type GetItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { abortable } from '../fence/abortable.ts';
import type { Deadline } from '../fence/deadline.ts';
import type { Item } from './attributes.ts';
import type { Wire } from './client.ts';
import { classify, type WireFailure } from './wire-error.ts';

/** A request as a value. There is deliberately no DeleteItem, no BatchWriteItem and no PartiQL among them. */
export type Request =
  | { readonly op: 'PutItem'; readonly input: PutItemCommandInput }
  | { readonly op: 'UpdateItem'; readonly input: UpdateItemCommandInput }
  | { readonly op: 'GetItem'; readonly input: GetItemCommandInput }
  | { readonly op: 'BatchGetItem'; readonly input: BatchGetItemCommandInput }
  | { readonly op: 'Query'; readonly input: QueryCommandInput }
  | { readonly op: 'Scan'; readonly input: ScanCommandInput };

const commands = {
  PutItem: PutItemCommand,
  UpdateItem: UpdateItemCommand,
  GetItem: GetItemCommand,
  BatchGetItem: BatchGetItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
};

/** The parts of the SDK's outputs that are used here. */
export interface Output {
  readonly Attributes?: Item;
  readonly Item?: Item;
  readonly Items?: Item[];
  readonly Count?: number;
  readonly LastEvaluatedKey?: Item;
  readonly Responses?: Record<string, Item[]>;
  readonly UnprocessedKeys?: BatchGetItemCommandInput['RequestItems'];
}

export type CopyOutcome =
  | { readonly is: 'done'; readonly output: Output }
  | { readonly is: WireFailure; readonly error: unknown };

interface MiddlewareArgs {
  readonly request: { readonly headers?: Record<string, string> };
}
type Next = (args: MiddlewareArgs) => Promise<{ output: { $metadata: { attempts?: number } } }>;

/**
 * Sends one copy of a request, once, and tells what became of it. Nothing goes out after the deadline.
 *
 * The SDK's own retry is replaced for this command: the error that ends its loop hides those before it, so
 * what is left cannot tell whether an earlier copy was applied. Signing, endpoint and all other
 * middleware stay as the client has them, and see each copy as a request of its own.
 */
export async function sendCopy(
  { client }: Wire,
  { op, input }: Request,
  deadline: Deadline,
  attempt: { readonly number: number; readonly invocation: string },
): Promise<CopyOutcome> {
  if (deadline.over) return { is: 'unsendable', error: deadline.signal.reason };
  // A client that wraps another, or stands in for one, may not run what is added to the command below. Then
  // nothing proves that the request stayed here.
  let departed = true;

  // biome-ignore lint/suspicious/noExplicitAny: the commands' types differ, what is added to them does not.
  const command: any = new (commands[op] as new (input: any) => any)(input);
  const once = (next: Next) => async (args: MiddlewareArgs) => {
    if (args.request.headers !== undefined) {
      args.request.headers['amz-sdk-invocation-id'] = attempt.invocation;
      args.request.headers['amz-sdk-request'] = `attempt=${attempt.number}`;
    }
    const result = await next(args);
    result.output.$metadata.attempts = attempt.number;
    return result;
  };
  // Same name, step and priority as the SDK's: this is how the SDK lets a middleware be replaced.
  const replacesRetry = {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  };
  command.middlewareStack.add(once, replacesRetry);
  const entry = (next: Next) => (args: MiddlewareArgs) => {
    departed = false;
    return next(args);
  };
  command.middlewareStack.add(entry, { name: 'fencedEntry', step: 'initialize', priority: 'high' });
  const departure = (next: Next) => (args: MiddlewareArgs) => {
    // Credentials may have taken their time.
    if (deadline.over) throw deadline.signal.reason;
    // A middleware of the client's that tries again would send a copy that nobody counts.
    if (departed)
      throw new Error('A middleware of the client has sent this request before: it must be sent once.');
    departed = true;
    return next(args);
  };
  command.middlewareStack.add(departure, {
    name: 'fencedDeparture',
    step: 'finalizeRequest',
    priority: 'low',
  });

  try {
    // Some transports do not listen to the signal, so the wait ends by itself.
    // An options object also switches the client's handler cache off, which would ignore this command's middleware.
    const sent: Promise<Output> = client.send(command, { abortSignal: deadline.signal });
    return { is: 'done', output: await abortable(sent, deadline.signal) };
  } catch (error) {
    return { is: classify(error, departed), error };
  }
}
