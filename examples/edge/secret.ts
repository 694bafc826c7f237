// A secret in a Lambda function, without a client of its own: the extension of AWS for secrets listens beside the function and
// caches what it fetched. https://docs.aws.amazon.com/secretsmanager/latest/userguide/retrieving-secrets_lambda.html

type Environment = Readonly<Record<string, string | undefined>>;

/** Longer than Secrets Manager takes; a function that waits for more has something else to say. */
const TIMEOUT_MS = 3_000;

/**
 * Reads a secret. Not before the first event: until then the extension answers that it is not ready.
 *
 * @throws where it cannot be read. The message has the status, and never what was answered: that may be the secret.
 */
export async function secretOf(arn: string, env: Environment = process.env): Promise<string> {
  const port = env.PARAMETERS_SECRETS_EXTENSION_HTTP_PORT ?? '2773';
  const url = `http://localhost:${port}/secretsmanager/get?secretId=${encodeURIComponent(arn)}`;
  // Proves that it is the function that asks, and not somebody whom it was made to call.
  const headers = { 'X-Aws-Parameters-Secrets-Token': env.AWS_SESSION_TOKEN ?? '' };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = await response.text();
  if (response.ok) return (JSON.parse(body) as { readonly SecretString: string }).SecretString;
  throw new Error(`The secret ${arn} cannot be read: the extension answered ${response.status}.`);
}
