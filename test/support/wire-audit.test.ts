import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { FencedRepository } from '../../src/index.ts';
import { dropResponse, faults } from '../../src/testing/index.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { runExample } from '../examples/run-example.ts';
import { account, accountsIn } from './accounts.ts';
import { auditFileVariable, closeAuditFile, newAuditFile, summaryOf } from './audit-file.mjs';
import { defaultGuardedNames, faultOf } from './check-sent-request.mjs';
import { granted } from './fences.ts';
import { watchEverything } from './watch-clients.mjs';
import { sentByTheLibrary, takeViolations } from './wire-audit.ts';

const total = () => Object.values(sentByTheLibrary()).reduce((a, b) => a + b, 0);

describeEachEngine('the audit of the wire', (engine) => {
  const table = () => engine.table({ partitionKey: 'id' });

  it('sees every copy that the library sends, and nothing that others send', async () => {
    const tableName = await table();
    const wire = faults(engine.running.handler, [{ on: { nth: 1 }, do: dropResponse() }]);
    const client = engine.client({ requestHandler: wire });
    const before = total();
    const accounts = new FencedRepository<{ id: string }, 'id'>({
      client: DynamoDBDocumentClient.from(client),
      tableName,
      key: ['id'],
      resource: ({ id }) => id,
    });
    await accounts.put(granted('a', 1), { id: 'a' });
    // The lost one, the one that finds its effect, and a look where the engine does not show the item.
    const sent = engine.returnsItems ? 2 : 3;
    expect(total() - before).toBe(sent);
    await client.send(new PutItemCommand({ TableName: tableName, Item: { id: { S: 'b' } } }));
    expect(total() - before).toBe(sent);
  });

  it("cannot be gone around by a client of one's own", async () => {
    const { handler } = engine.running;
    const client = new DynamoDBClient({ ...(engine.client().config as object), requestHandler: handler });
    const before = total();
    const accounts = accountsIn({ client, tableName: await table() });
    await accounts.put(granted(account('a'), 1), { id: 'a' });
    expect(total() - before).toBe(1);
  });

  it('does not let a bad request out, and remembers it where the error is swallowed', async () => {
    const client = watchEverything(engine.client());
    const bad = new PutItemCommand({ TableName: await table(), Item: { id: { S: 'b' } } });
    await expect(client.send(bad)).rejects.toThrow('The library must not send this');
    expect(takeViolations()).toEqual([expect.stringContaining('PutItem without a ConditionExpression')]);
  });
});

describe('the audit of processes', () => {
  const plainWrites = 'examples/testing/local-dynamodb.ts';

  it('sees what the library sends in a program that knows nothing of it', async () => {
    const file = newAuditFile();
    const run = await runExample('examples/quick-start.mjs', [], { [auditFileVariable]: file });
    expect(run.code).toBe(0);
    expect(closeAuditFile(file)).toEqual({ counts: { UpdateItem: 4, PutItem: 1 }, faults: [] });
  });

  it('sees nothing of what others send', async () => {
    const file = newAuditFile();
    const run = await runExample(plainWrites, [], { [auditFileVariable]: file });
    expect(run.code).toBe(0);
    expect(closeAuditFile(file)).toEqual({ counts: {}, faults: [] });
  });

  it('does not let a bad request out, says so, and fails the run', async () => {
    const file = newAuditFile();
    const run = await runExample(plainWrites, [], {
      [auditFileVariable]: file,
      WIRE_AUDIT_EVERYTHING: 'yes',
    });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(
      'The library must not send this: action 0: Update without a ConditionExpression',
    );
    expect(() => summaryOf(file)).toThrow(`${plainWrites}: action 0: Update without a ConditionExpression`);
  });
});

describe('what is wrong with a request', () => {
  const fault = (op: string, input: object) => faultOf({ op, input }, defaultGuardedNames);
  const item = { id: { S: 'a' }, _fence: { N: '1' } };
  const aliased = { '#f': '_fence', '#t': 'token', '#h': 'holder', '#d': 'data' };
  const update = (UpdateExpression: string, ConditionExpression: string) => ({
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: aliased,
  });

  it.each<readonly [string, object, string]>([
    ['DeleteItem', {}, 'DeleteItem must never be sent'],
    ['BatchWriteItem', {}, 'BatchWriteItem must never'],
    ['ExecuteStatement', {}, 'ExecuteStatement must never'],
    ['BatchExecuteStatement', {}, 'BatchExecuteStatement must never'],
    ['ExecuteTransaction', {}, 'ExecuteTransaction must never'],
    ['UpdateTimeToLive', {}, 'UpdateTimeToLive must never'],
    ['PutItem', { Item: item }, 'without a ConditionExpression'],
    ['PutItem', { Item: item, ConditionExpression: 'attribute_not_exists(id)' }, 'names neither'],
    ['PutItem', { Item: item, ConditionExpression: 'x = :_fence' }, 'names neither'],
    ['PutItem', { Item: { id: item.id }, ConditionExpression: '_fence < :f' }, 'leaves no fence'],
    ['UpdateItem', update('SET a = :a', '#f < :f'), 'leaves no fence'],
    ...[
      'attribute_exists(#f)',
      'NOT (#f > :f)',
      'NOT #f > :f',
      '#f > :f',
      '#f <> :f',
      '#d = :d OR #f < :f',
      '(#d = :d) OR (attribute_not_exists(#f))',
      '(#f < :f AND #d = :d) OR #d = :e',
      '(attribute_not_exists(#f) OR #f < :f) OR (#d = :d)',
      '#d = :d OR attribute_exists(id) AND attribute_not_exists(#f)',
      'attribute_not_exists(#d) OR #f < :f',
      '#d = :d AND (#f < :f OR #d = :d)',
    ].map((condition) => ['UpdateItem', update('SET #f = :f', condition), 'whatever the fence'] as const),
    ['PutItem', { Item: item, ConditionExpression: 'attribute_not_exists(_fence)' }, 'whatever the fence'],
    ['UpdateItem', update('SET #h = :h', 'attribute_exists(#t) AND #h = :h'), 'whatever the fence'],
    [
      'TransactWriteItems',
      { TransactItems: [{ ConditionCheck: update('', 'attribute_exists(#t)') }] },
      'whatever',
    ],
    ['UpdateItem', update('SET #d = :d', '#h = :h'), 'names neither'],
    ['UpdateItem', update('REMOVE #h, #t', '#h = :h'), 'names neither'],
    ['UpdateItem', update('REMOVE #h, #d', 'attribute_exists(#h)'), 'names neither'],
    ['UpdateItem', update('REMOVE #h, #d', '#h = :h OR attribute_exists(#t)'), 'whatever the fence'],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { Item: item, ConditionExpression: '_fence < :f' } }, { Delete: {} }] },
      'action 1: Delete must never',
    ],
    ['TransactWriteItems', { TransactItems: [{ Update: {} }] }, 'action 0: Update without'],
    [
      'TransactWriteItems',
      { TransactItems: [{ ConditionCheck: update('', 'attribute_exists(id)') }] },
      'names neither',
    ],
    ['GetItem', {}, 'without ConsistentRead'],
    ['BatchGetItem', { RequestItems: { a: { ConsistentRead: true }, b: {} } }, 'without ConsistentRead'],
  ])('%s %j', (op, input, what) => {
    expect(fault(op, input)).toContain(what);
  });

  it.each([
    ['PutItem', { Item: item, ConditionExpression: '_fence < :f' }],
    ['PutItem', { Item: item, ConditionExpression: '(attribute_not_exists(id) OR _fence < :f) AND id = :i' }],
    ['UpdateItem', update('SET #f = :f', '#f < :f')],
    [
      'UpdateItem',
      update('SET #f = :f', '#d = :d AND (#f < :f OR (#f = :f AND #h = :h)) AND (#d = :e OR #d = :g)'),
    ],
    ['UpdateItem', update('SET #f = :f', 'attribute_exists(id) AND attribute_not_exists(#f)')],
    [
      'UpdateItem',
      { Key: { id: 1 }, ...update('SET #t = :t', 'attribute_not_exists(id) OR (#t < :t AND #h = :h)') },
    ],
    ['UpdateItem', update('SET #h = :h', '#t < :t')],
    ['UpdateItem', update('REMOVE #h, #d', '#h = :h')],
    ['UpdateItem', update('REMOVE #h, #d', '#h = :h AND attribute_exists(#t)')],
    ['UpdateItem', update('set #f=:f', '((#f=:f)OR(attribute_not_exists(#f)))and(#d=:d)')],
    ['TransactWriteItems', { TransactItems: [{ ConditionCheck: update('', '#t = :t') }] }],
    ['GetItem', { ConsistentRead: true }],
    ['Query', {}],
  ])('nothing: %s %j', (op, input) => {
    expect(fault(op, input)).toBeUndefined();
  });
});
