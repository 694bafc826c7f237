import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { add, gte } from '../../../src/expressions.ts';
import { type Fence, fence } from '../../../src/index.ts';
import { dropResponse, reset, respond, throttle } from '../../../src/testing/index.ts';
import { wrapHandler } from '../../../src/testing/wrap-handler.ts';
import { describeEachEngine, type EngineUnderTest } from '../../engines/describe-each-engine.ts';
import { type Accounts, account, accountsIn } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { watchEverything } from '../../support/watch-clients.mjs';
import { type Scene, scene, withoutPauses } from './scene.ts';
import { balance, live } from './stored.ts';
import { full, id, withdraw } from './withdraw.ts';

const withdrawIfRich = (accounts: Accounts, by: Fence) =>
  accounts.update(by, id, { balance: add(-10) }, { when: { balance: gte(500) } });

type Wrap = (client: DynamoDBClient, table: Scene) => DynamoDBClient | DynamoDBDocumentClient;

/** Clients as programs have them, beside the plain one. */
const clients: Readonly<Record<string, Wrap>> = {
  'a document client': (client) => DynamoDBDocumentClient.from(client),
  'a document client with options': (client) =>
    DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true, convertEmptyValues: true },
      unmarshallOptions: { wrapNumbers: true },
    }),
  'a client with middleware of its own': (client) => {
    client.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        return answer;
      },
      { step: 'finalizeRequest', priority: 'low', name: 'theirs' },
    );
    return client;
  },
};

async function over(engine: EngineUnderTest, table: Scene, wrap: Wrap): Promise<Accounts> {
  const client = wrap(engine.client({ requestHandler: table.wire }), table);
  return accountsIn(
    { client: client as DynamoDBClient, tableName: table.tableName },
    { random: withoutPauses },
  );
}

describeEachEngine('any client of the SDK', (engine) => {
  describe.each(Object.entries(clients))('%s', (_, wrap) => {
    it('applies once where answers are lost', async () => {
      const table = await scene(engine, { with: full, rules: [{ on: { nth: [1, 2] }, do: dropResponse() }] });
      const lease = granted(account('a'), 42);
      expect(await withdraw(await over(engine, table, wrap), lease)).toMatchObject({
        ...{ ok: true, replayed: true, item: { id: 'a', balance: 90 } },
      });
      expect(await table.stored()).toEqual(live(balance(90), lease, 1));
    });

    it('shows what refused a write', async () => {
      const table = await scene(engine, { with: full });
      const accounts = await over(engine, table, wrap);
      expect(await withdrawIfRich(accounts, granted(account('a'), 42))).toStrictEqual({
        ...{ ok: false, reason: 'condition', item: { id: 'a', balance: 100 }, version: '40.5.before' },
      });
      expect(await withdraw(accounts, granted(account('a'), 39))).toMatchObject({
        ...{ reason: 'fenced', lastToken: 40, lastHolder: 'before' },
      });
      const refused = table.refused('UpdateItem', full);
      expect(table.sent()).toEqual([...refused, ...refused]);
      expect(await table.stored()).toEqual(full);
    });
  });

  it('a client that caches its handlers runs the one of each copy', async () => {
    const table = await scene(engine, { with: full });
    const client = engine.client({ requestHandler: table.wire, cacheMiddleware: true });
    // It has a handler for this command now, with the retry of the SDK in it.
    await client.send(new PutItemCommand({ TableName: table.tableName, Item: { id: { S: 'b' } } }));
    table.faults.add({ on: { nth: 1 }, do: dropResponse() });
    table.sent();
    const accounts = accountsIn({ client, tableName: table.tableName }, { random: withoutPauses });
    const error = await accounts.put(fence(account('a'), 42), { ...id, balance: 1 }).catch((e) => e);
    expect(error).toMatchObject({ code: 'outcome-unknown' });
    expect(table.sent()).toEqual(['PutItem']);
    // And what the program itself sends afterwards is not touched.
    await client.send(new PutItemCommand({ TableName: table.tableName, Item: { id: { S: 'b' } } }));
  });

  it("the client's middleware sees each copy as a request of its own, under one invocation", async () => {
    const table = await scene(engine, { with: full, rules: [{ on: { nth: [1, 2] }, do: reset() }] });
    const seen: { headers: Record<string, string> }[] = [];
    const accounts = await over(engine, table, (client) => {
      client.middlewareStack.add(
        (next) => async (args) => {
          seen.push(args.request as never);
          return next(args);
        },
        { step: 'finalizeRequest', priority: 'low', name: 'watcher' },
      );
      return client;
    });
    expect(await withdraw(accounts, granted(account('a'), 42))).toMatchObject({ ok: true });
    expect(seen.map(({ headers }) => headers['amz-sdk-request'])).toEqual([
      'attempt=1',
      'attempt=2',
      'attempt=3',
    ]);
    expect(new Set(seen.map(({ headers }) => headers['amz-sdk-invocation-id'])).size).toBe(1);
    expect(seen.every(({ headers }) => headers.authorization?.includes('Signature='))).toBe(true);
  });

  it.each([
    // Around everything that is added to a copy, and within.
    { step: 'initialize', priority: 'high' },
    { step: 'finalizeRequest' },
  ])('a middleware at $step that tries again itself sends no copy that nobody counts', async (at) => {
    const table = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: reset() }] });
    const accounts = await over(engine, table, (client) => {
      const stubborn = (next: (args: never) => Promise<never>) => (args: never) =>
        next(args).catch(() => next(args));
      client.middlewareStack.add(stubborn as never, { ...at, name: 'stubborn' } as never);
      return client;
    });
    await expect(withdraw(accounts, fence(account('a'), 42))).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    expect(table.sent()).toEqual(['UpdateItem']);
    expect(await table.stored()).toEqual(full);
  });

  it('a client that wraps another, and drops what was added to the command: nothing is taken for unsent', async () => {
    const table = await scene(engine, { with: full });
    const inner = watchEverything(engine.client({ requestHandler: table.wire, maxAttempts: 1 }));
    const wrapper = {
      config: inner.config,
      send: (command: { constructor: new (input: unknown) => never; input: unknown }) =>
        inner.send(new command.constructor(command.input)),
    };
    const accounts = accountsIn(
      { client: wrapper as never, tableName: table.tableName },
      { random: withoutPauses },
    );
    table.faults.add({ on: { nth: 1 }, do: dropResponse() });
    const by = fence(account('a'), 42);
    await expect(withdraw(accounts, by)).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(await table.stored()).toEqual(live(balance(90), by, 1));
    // What the service says is the same through it.
    expect(await withdrawIfRich(accounts, granted(account('a'), 43))).toMatchObject({ reason: 'condition' });
  });
});

const refusal = 'ConditionalCheckFailedException';

// What a bundler makes of the SDK's class, or another copy of it.
class q extends Error {
  override readonly name = refusal;
}

describeEachEngine('an error of the SDK is told by its name alone', (engine) => {
  it.each([
    ['a name and nothing else', { name: refusal }],
    ['a type and nothing else', { __type: `com.amazonaws.dynamodb.v20120810#${refusal}` }],
    ['a code, as older versions of the SDK have it', Object.assign(new Error('refused'), { code: refusal })],
    ['a class of another copy, its name lost', new q('The conditional request failed')],
  ])('%s', async (_, shape) => {
    const table = await scene(engine, { with: full });
    const accounts = await over(engine, table, (client) => {
      const reshape = (next: (args: never) => Promise<never>) => (args: never) =>
        next(args).catch((error: Error) => Promise.reject(error.name === refusal ? shape : error));
      client.middlewareStack.add(reshape as never, { step: 'initialize', name: 'reshape' });
      return client;
    });
    expect(await withdraw(accounts, granted(account('a'), 39))).toMatchObject({
      ...{ ok: false, reason: 'fenced', lastToken: 40, applied: 'no' },
    });
    // These show no item, on any engine.
    expect(table.sent()).toEqual(['UpdateItem', 'GetItem']);
    expect(await table.stored()).toEqual(full);
  });
});

describeEachEngine('a clock that is ten minutes off', (engine) => {
  /** A client whose answers carry a date of another time. */
  const dated = (table: Scene, offsetMs: number) => {
    const handler = wrapHandler(table.wire, async (request, options) => {
      const { response } = await table.wire.handle(request, options);
      const date = new Date(Date.now() + offsetMs).toUTCString();
      return { response: { ...response, headers: { ...response.headers, date } } };
    });
    return engine.client({ requestHandler: handler });
  };
  const offsets = [-600_000, 600_000];

  it.each(offsets)('%d ms: the SDK sends a refused write again', async (offset) => {
    const table = await scene(engine, { with: full });
    const put = new PutItemCommand({
      ...{ TableName: table.tableName, Item: { id: { S: 'a' } } },
      ConditionExpression: 'attribute_not_exists(id)',
    });
    await expect(dated(table, offset).send(put)).rejects.toMatchObject({ name: refusal });
    expect(table.sent().length).toBeGreaterThan(1);
  });

  it.each(offsets)('%d ms: here a refusal is one request, and so is a success', async (offset) => {
    const table = await scene(engine, { with: full });
    const client = dated(table, offset);
    const accounts = accountsIn({ client, tableName: table.tableName }, { random: withoutPauses });
    expect(await withdraw(accounts, granted(account('a'), 39))).toMatchObject({
      reason: 'fenced',
      applied: 'no',
    });
    expect(table.sent()).toEqual(table.refused('UpdateItem', full));
    const lease = granted(account('a'), 42);
    expect(await withdraw(accounts, lease)).toMatchObject({ ok: true, replayed: false });
    expect(table.sent()).toEqual(['UpdateItem']);
    expect(await table.stored()).toEqual(live(balance(90), lease, 1));
  });

  it('a write that was signed at the wrong time is sent again once the client has set its clock right', async () => {
    const table = await scene(engine, {
      with: full,
      rules: [{ on: { nth: 1 }, do: respond({ name: 'InvalidSignatureException' }) }],
    });
    const accounts = accountsIn(
      { client: dated(table, 600_000), tableName: table.tableName },
      { random: withoutPauses },
    );
    const lease = granted(account('a'), 42);
    expect(await withdraw(accounts, lease)).toMatchObject({ ok: true, replayed: false });
    expect(table.sent()).toEqual(['UpdateItem', 'UpdateItem']);
    expect(await table.stored()).toEqual(live(balance(90), lease, 1));
  });

  it('a wrong signature at the right time is an error like others', async () => {
    const table = await scene(engine, {
      with: full,
      rules: [{ do: respond({ name: 'InvalidSignatureException' }) }],
    });
    await expect(withdraw(table.accounts, granted(account('a'), 42))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    });
    expect(table.sent()).toEqual(['UpdateItem']);
  });
});

describeEachEngine('a client with one attempt', (engine) => {
  it('sends one copy', async () => {
    const table = await scene(engine, { with: full, maxAttempts: 1, rules: [{ do: throttle() }] });
    expect(await withdraw(table.accounts, granted(account('a'), 42))).toMatchObject({ reason: 'contention' });
    expect(table.sent()).toEqual(['UpdateItem']);
  });
});
