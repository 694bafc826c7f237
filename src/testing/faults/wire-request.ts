import type { SdkRequest } from '../request-handler.ts';

/** The operations that rules can name: a closed list, so that a rule with a slip of the pen does not compile. */
export type Operation =
  | 'BatchExecuteStatement'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'CreateTable'
  | 'DeleteItem'
  | 'DeleteTable'
  | 'DescribeTable'
  | 'DescribeTimeToLive'
  | 'ExecuteStatement'
  | 'ExecuteTransaction'
  | 'GetItem'
  | 'ListTables'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'TransactGetItems'
  | 'TransactWriteItems'
  | 'UpdateItem'
  | 'UpdateTable'
  | 'UpdateTimeToLive';

/** One request on the wire: one copy, where the sender sends several. */
export interface WireRequest {
  /** Its place among all requests of this handler, from 1. */
  readonly number: number;
  /** As `UpdateItem`. */
  readonly op: string;
  /** The parsed body: what DynamoDB gets, so values are attribute values with either client. */
  // The shape depends on the operation, and whoever looks into it knows which one it is.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly input: Readonly<Record<string, any>>;
}

/** Reads a request of the AWS SDK. What is no DynamoDB request has an empty operation and input. */
export function wireRequest(http: SdkRequest, number: number): WireRequest {
  const target = Object.entries(http.headers).find(([name]) => name.toLowerCase() === 'x-amz-target')?.[1];
  return { number, op: target?.split('.').at(-1) ?? '', input: parsed(bodyText(http)) };
}

/** The body as text; a stream, which only a fault would send, has none yet. */
export function bodyText({ body }: SdkRequest): string {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
}

function parsed(body: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(body);
    return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
