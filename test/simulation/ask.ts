import type { SdkRequestHandler } from '../../src/testing/index.ts';
import type { Row } from './storage.ts';

export type Op = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'GetItem' | 'TransactWriteItems';

// biome-ignore lint/suspicious/noExplicitAny: the inputs of several commands.
export type Input = Record<string, any>;

/**
 * Sends one request past the SDK, which takes longer to write and read it than the engine to execute it. Without
 * binary values the input of a command is its own JSON.
 *
 * @throws an error with the name, the item and the status that the SDK's would have.
 */
export async function ask(engine: SdkRequestHandler, op: Op, input: Input): Promise<{ readonly Item?: Row }> {
  const { response } = await engine.handle({
    method: 'POST',
    protocol: 'http:',
    hostname: 'localhost',
    path: '/',
    headers: { 'x-amz-target': `DynamoDB_20120810.${op}` },
    body: JSON.stringify(input),
  });
  const answer = JSON.parse(await text(response.body as AsyncIterable<Buffer>));
  if (response.statusCode === 200) return answer;
  const { __type, message, ...rest } = answer;
  throw Object.assign(new Error(message), {
    ...rest,
    name: String(__type).replace(/^.*#/, ''),
    $metadata: { httpStatusCode: response.statusCode },
  });
}

async function text(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
