import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Answer } from './fault.ts';

/** An answer that never came from a server, in the form of DynamoDB's. */
export function jsonAnswer(statusCode: number, body: object): Answer {
  return {
    response: {
      statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
      body: Readable.from([Buffer.from(JSON.stringify(body))]),
    },
  };
}

/**
 * An error of DynamoDB.
 *
 * @param name as `ThrottlingException`.
 * @param members what it carries beside its message.
 */
export function errorAnswer(statusCode: number, name: string, message: string, members: object = {}): Answer {
  const type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return jsonAnswer(statusCode, { __type: type, message, ...members });
}

/** Reads an answer to its end, as its socket would be kept busy otherwise. */
export async function readAnswer({ response: { body } }: Answer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as Readable) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
