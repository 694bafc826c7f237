import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBookings } from '../../../examples/booking/http/open-bookings.ts';
import { openLedger } from '../../../examples/ledger/http/open-ledger.ts';
import { createTablesOf } from '../../../examples/local/create-tables-of.ts';
import { functionOf } from '../../../examples/local/function-of.ts';
import { seed, tomorrow } from '../../../examples/local/seed.ts';
import { exampleStacks } from '../../../infra/stacks/example-stacks.ts';
import { type LocalDynamoDB, startLocalDynamoDB } from '../../../src/testing/index.ts';
import { throughGateway } from '../../http/ways.ts';
import { cdkJson } from '../../infra/offline-app.ts';
import { type Answer, apiCaller, expectProblem } from '../../support/api-caller.ts';
import { describedApi } from '../../support/described-api.ts';
import { type DeployedFunction, deployedFunction } from './deployed-function.ts';

const folder = mkdtempSync(join(tmpdir(), 'deployed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Half of it stays readable: what the functions write must not have it. */
const secret = randomBytes(32).toString('hex');
const nowMs = Date.now();
const functions = { ledger: {} as DeployedFunction, booking: {} as DeployedFunction };
const bundles = { ledger: '', booking: '' };
let db: LocalDynamoDB;
const extension = createServer(({ url, headers }, response) => {
  const isAllowed = headers['x-aws-parameters-secrets-token'] === 'of the role' && url?.includes('Seals');
  const SecretString = JSON.stringify({ current: secret });
  response.writeHead(isAllowed ? 200 : 403).end(isAllowed ? JSON.stringify({ SecretString }) : 'no');
});

// All that is deployed, but for AWS: templates, tables of the template, bundles, and the environment that they are given.
beforeAll(async () => {
  const app = new App({ context: cdkJson.context, outdir: join(folder, 'out'), analyticsReporting: false });
  app.node.setContext('jwtIssuer', 'https://issuer.example.com');
  app.node.setContext('jwtAudience', 'web');
  const stacks = exampleStacks(app);
  const assembly = app.synth();
  const data = assembly.getStackByName(stacks.data.stackName).template;
  await new Promise<void>((resolve) => extension.listen(0, 'localhost', resolve));
  db = await startLocalDynamoDB({ port: 0 });
  for (const table of createTablesOf(data)) await db.createTable(table);
  const environments = { ledger: {}, booking: {} };
  for (const name of ['ledger', 'booking'] as const) {
    const { template } = assembly.getStackByName(stacks[name].stackName);
    const { env, assetHash, handler } = functionOf(template, data);
    expect(handler).toBe('index.handler');
    bundles[name] = join(folder, 'out', `asset.${assetHash}`);
    environments[name] = env;
    functions[name] = await deployedFunction(join(bundles[name], 'index.mjs'), {
      ...env,
      // What Lambda and its extension add; and where DynamoDB is, for any SDK.
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'of the role',
      PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: String((extension.address() as AddressInfo).port),
      AWS_ENDPOINT_URL_DYNAMODB: db.endpoint,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    });
  }
  const client = db.client();
  const { ledger } = openLedger({ env: environments.ledger, client });
  await seed(ledger, openBookings({ env: environments.booking, client }).service, nowMs);
});

afterAll(async () => {
  await Promise.all(Object.values(functions).map((it) => it.stop?.()));
  await db?.close();
  extension.close();
  extension.closeAllConnections();
});

const description = (name: string) =>
  describedApi(new URL(`../../../examples/${name}/http/openapi.yaml`, import.meta.url));
const fenceOf = ({ headers }: Answer) => headers.get('Fencing-Token') ?? '';

describe.each(['ledger', 'booking'] as const)('the function of the %s example', (name) => {
  it('is one module of at most 400 kB, with its map, and nothing of the test kit', () => {
    expect(readdirSync(bundles[name]).sort()).toEqual(['index.mjs', 'index.mjs.map']);
    expect(statSync(join(bundles[name], 'index.mjs')).size).toBeLessThanOrEqual(400_000);
    const { sources } = JSON.parse(readFileSync(join(bundles[name], 'index.mjs.map'), 'utf8'));
    const ofOthers = /dynalite|lib-dynamodb|yaml|src\/(testing|cli|outbox)\/|examples\/local\//;
    expect(sources.filter((source: string) => ofOthers.test(source))).toEqual([]);
  });
});

it('the ledger pays with a fence, once, and refuses one that is older and none at all', async () => {
  const call = apiCaller(throughGateway(functions.ledger.lambda), await description('ledger'));
  const pay = (token: string | undefined, key: string, amount = 30) =>
    call('POST /accounts/ann/transfers', {
      headers: { 'Fencing-Token': token, 'Idempotency-Key': key },
      body: { to: 'bob', amount },
    });
  const first = await call('POST /accounts/ann/lease');
  expect(first).toMatchObject({ status: 201, body: { balance: 100_00 } });
  expect(await pay(fenceOf(first), 'rent')).toMatchObject({ status: 201, body: { amount: 30 } });
  expect((await pay(fenceOf(first), 'rent')).status).toBe(200);
  const second = await call('POST /accounts/ann/lease');
  expectProblem(await pay(fenceOf(first), 'late'), 412, 'fenced', { applied: 'no' });
  expectProblem(await pay(undefined, 'none'), 428, 'missing');
  expectProblem(await pay(fenceOf(second).replace(/.$/, '!'), 'false'), 401, 'malformed');
  expect((await pay(fenceOf(second), 'tea', 20)).status).toBe(201);
  expect(await call('GET /accounts/bob')).toMatchObject({ status: 200, body: { balance: 50 } });
});

it('the bookings give a slot to one customer, who alone confirms it', async () => {
  const call = apiCaller(throughGateway(functions.booking.lambda), await description('booking'));
  const day = new Date(tomorrow(nowMs)).toISOString().slice(0, 10);
  const slot = `room-1@${day}T09:00Z`;
  expect((await call(`GET /days/${day}`)).body).toHaveLength(3);
  const held = await call(`POST /slots/${slot}/hold`, { body: { customer: 'ann' } });
  expect(held).toMatchObject({ status: 201, body: { status: 'held' } });
  expectProblem(await call(`POST /slots/${slot}/hold`, { body: { customer: 'bob' } }), 409, 'condition');
  expectProblem(await call(`POST /slots/${slot}/confirm`), 428, 'missing');
  const headers = { 'Fencing-Token': fenceOf(held) };
  expect(await call(`POST /slots/${slot}/confirm`, { headers })).toMatchObject({ status: 200 });
  expect((await call(`GET /days/${day}`)).body).toHaveLength(2);
});

it('writes metrics as they are, beside logs that are wrapped, and never the secret', () => {
  for (const { output } of Object.values(functions)) {
    const lines = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(
      lines.filter(({ _aws }) => _aws?.CloudWatchMetrics[0].Namespace === 'DynamoDBFenced').length,
    ).toBeGreaterThan(3);
    expect(output()).not.toContain(secret);
  }
  expect(functions.ledger.output()).toContain('RefusedFenced');
});
