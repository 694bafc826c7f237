import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  explain,
  type GuardCheckOptions,
  guard,
  guardCheck,
  nextStamp,
  type Stamp,
} from '../../src/kernel.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';
import { describeEachEngine } from '../engines/describe-each-engine.ts';
import { granted } from '../support/fences.ts';
import { type RawTable, rawTable } from './raw-table.ts';

const Key = { id: { S: 'a' } };

/** What a transaction does by hand that `plan.check` does in a repository. */
describeEachEngine('a check in a transaction by hand', (engine) => {
  let table: RawTable;
  beforeEach(async () => {
    table = await rawTable(engine);
  });
  const condition = {
    ConditionExpression: 'v = :v OR v = :w',
    ExpressionAttributeValues: { ':v': { S: 'x' }, ':w': { S: 'y' } },
  };

  /** Checks `a` and creates `z`; the verdict about the check, or `stored` where the transaction went through. */
  async function verdictOf(stamp: Stamp, own: object, options: GuardCheckOptions, item: object | null) {
    const TransactItems = [
      { ConditionCheck: guardCheck({ TableName: table.tableName, Key, ...own }, stamp, options) },
      {
        Put: guard({ TableName: table.tableName, Item: { id: { S: 'z' } } }, stamp, {
          as: 'create',
          key: 'id',
        }),
      },
    ];
    const error = await table.client.send(new TransactWriteItemsCommand({ TransactItems })).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    const stored = (await table.stored(['z'])).z !== undefined;
    expect(stored).toBe(error === undefined);
    const { as = 'check', ifVersion } = options;
    const more = {
      conditional: 'ConditionExpression' in own,
      ...(ifVersion === undefined ? {} : { ifVersion }),
    };
    return stored ? 'stored' : explain(error, stamp, { as, index: 0, item: item as never, ...more }).is;
  }

  const older = { _fence: { N: '41' }, _fenceHolder: { S: 'o' }, _fenceSeq: { N: '1' } };
  const live = { ...older, v: { S: 'x' }, _fenceVersion: { S: '41.1.o' } };
  const newer = { ...live, _fence: { N: '43' } };

  it.each<[string, object | undefined, object, GuardCheckOptions, string]>([
    ['a live item of an older holder', live, {}, {}, 'stored'],
    ['one that meets the condition', live, condition, {}, 'stored'],
    ['one of that version', live, {}, { ifVersion: '41.1.o' }, 'stored'],
    ['one without a fence', { v: { S: 'x' } }, {}, {}, 'stored'],
    ['a newer holder, whatever the condition', newer, condition, {}, 'fenced'],
    ['a newer holder of nothing', { ...older, _fence: { N: '43' } }, {}, { as: 'check-absent' }, 'fenced'],
    ['nothing', undefined, {}, {}, 'not-found'],
    ['a tombstone', older, {}, {}, 'not-found'],
    ['another version', live, {}, { ifVersion: '41.2.o' }, 'version'],
    ['an item that does not meet the condition', { ...live, v: { S: 'q' } }, condition, {}, 'condition'],
    ['nothing, where nothing must be', undefined, {}, { as: 'check-absent' }, 'stored'],
    ['a tombstone, where nothing must be', older, {}, { as: 'check-absent' }, 'stored'],
    ['an item, where nothing must be', live, {}, { as: 'check-absent' }, 'exists'],
    [
      'one without a fence, where those are refused',
      { v: { S: 'x' } },
      {},
      { unfenced: 'refuse' },
      'refused',
    ],
  ])('%s: %#', async (_, planted, own, options, expected) => {
    if (planted !== undefined) await table.seed({ a: planted as never });
    const item = planted === undefined ? null : { ...Key, ...planted };
    const stamp = nextStamp(granted('r', 42));
    const verdict = await verdictOf(stamp, own, options, item);
    if (expected === 'refused') expect(verdict).not.toBe('stored');
    else expect(verdict).toBe(expected);
    // It leaves no trace.
    expect((await table.stored(['a'])).a).toEqual(planted);
  });

  it('takes plain values through the document client', async () => {
    await table.seed({ a: live });
    const documents = DynamoDBDocumentClient.from(table.client);
    const stamp = nextStamp(granted('r', 42));
    const check = guardCheck(
      {
        ...{ TableName: table.tableName, Key: { id: 'a' }, ConditionExpression: '#v = :v' },
        ...{ ExpressionAttributeNames: { '#v': 'v' }, ExpressionAttributeValues: { ':v': 'x' } },
      },
      stamp,
    );
    const Put = guard({ TableName: table.tableName, Item: { id: 'z' } }, stamp, { as: 'create', key: 'id' });
    await documents.send(new TransactWriteCommand({ TransactItems: [{ ConditionCheck: check }, { Put }] }));
    expect((await table.stored(['z'])).z).toMatchObject({ _fence: { N: '42' } });
  });
});

describe('a check is refused before it is sent', () => {
  const stamp = nextStamp(granted('r', 42));
  it.each<[string, object, string, RegExp]>([
    ['where it changes something', { UpdateExpression: 'SET v = :v' }, 'UpdateExpression', /changes nothing/],
    ['where it has an Item', { Item: Key }, 'Item', /changes nothing/],
    [
      'where it names a hidden attribute',
      { ConditionExpression: '_fence < :n' },
      'ConditionExpression',
      /_fence/,
    ],
    [
      'where its condition breaks out',
      { ConditionExpression: 'a = :a) OR (b = :b' },
      'ConditionExpression',
      /parenthes/,
    ],
  ])('%s', (_, own, path, message) => {
    expect(() => guardCheck({ TableName: 't', Key, ...own }, stamp)).toThrow(invalidInput(path, message));
  });
});
