import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { secretOf } from '../../../examples/edge/secret.ts';

const arn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:Seals-a1b2c3';

/** What listens beside a function. It answers as the extension does. */
async function extension(status: number, body: string) {
  const asked: { readonly url: string | undefined; readonly token: unknown }[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push({ url, token: headers['x-aws-parameters-secrets-token'] });
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: String(port), AWS_SESSION_TOKEN: 'of the role' };
  return { asked, env };
}

it('is read from the extension, in the name of the function', async () => {
  const { asked, env } = await extension(200, JSON.stringify({ ARN: arn, SecretString: 'whispered' }));
  expect(await secretOf(arn, env)).toBe('whispered');
  expect(asked).toEqual([
    { url: `/secretsmanager/get?secretId=${encodeURIComponent(arn)}`, token: 'of the role' },
  ]);
});

it('is not told where it cannot be read', async () => {
  const { env } = await extension(400, 'whispered');
  const error = await secretOf(arn, env).catch((caught: Error) => caught);
  expect(error).toHaveProperty('message', `The secret ${arn} cannot be read: the extension answered 400.`);
});
