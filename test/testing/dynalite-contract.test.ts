import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Action,
  type Callback,
  type Input,
  type InputRules,
  type Item,
  type KeyRange,
  loadDynalite,
  type Output,
  type Store,
} from '../../src/testing/local/dynalite.ts';
import { operations } from '../../src/testing/local/operations.ts';

/*
 * Everything that the local DynamoDB leans on inside dynalite. A failure here means: dynalite has moved, and
 * what is said beside the expectation does not hold any more. The last group is about what dynalite lacks: a
 * failure there means that an addition of ours has become unnecessary.
 */

const dynalite = loadDynalite();
const own = ['TransactWriteItems', 'TransactGetItems', 'UpdateTimeToLive'];
const item: Item = { id: { S: 'a' }, at: { N: '1' }, group: { S: 'g' }, rank: { N: '7' } };
const Key = { id: item.id, at: item.at };

let store: Store;
beforeEach(async () => {
  store = dynalite.db.create({ createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  await store.db.open();
  await perform('CreateTable', {
    TableName: 'table',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'id', KeyType: 'HASH' },
      { AttributeName: 'at', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'at', AttributeType: 'N' },
      { AttributeName: 'group', AttributeType: 'S' },
      { AttributeName: 'rank', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-group',
        KeySchema: [{ AttributeName: 'group', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'by-rank',
        KeySchema: [
          { AttributeName: 'id', KeyType: 'HASH' },
          { AttributeName: 'rank', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
  await expect.poll(async () => (await table(false)).TableStatus).toBe('ACTIVE');
});
afterEach(() => new Promise<void>((resolve) => store.db.close(() => resolve())));

function check(operation: string, raw: Input, rules: InputRules = dynalite.rules(operation)): Input {
  const input = dynalite.validations.checkTypes(raw, rules.types);
  dynalite.validations.checkValidations(input, rules.types, rules.custom, store);
  return input;
}

function perform(operation: string, raw: Input, on: Store = store): Promise<Output> {
  return act(dynalite.action(operation), on, check(operation, structuredClone(raw)));
}

function act(action: Action, on: Store, input: Input): Promise<Output> {
  return new Promise((resolve, reject) => {
    action(on, input, (error, output) => (error ? reject(error) : resolve(output as Output)));
  });
}

const table = (mustBeActive: boolean) =>
  new Promise<{ TableStatus: string }>((resolve, reject) => {
    store.getTable('table', mustBeActive, (error, found) => (error ? reject(error) : resolve(found!)));
  });

const put = (extra: Input = {}) => perform('PutItem', { TableName: 'table', Item: item, ...extra });
const keyOf = async () => dynalite.db.createKey(item, (await table(true)) as never);

/** A store that notes what an action does with the item's key range and the indexes' ones, in order. */
function watched(): { store: Store; steps: string[]; onRead: (found: Item | undefined) => void } {
  const watch = {
    steps: [] as string[],
    onRead: (_found: Item | undefined) => {},
  };
  const range = (name: string, real: KeyRange): KeyRange => ({
    lock: (key, run) => {
      watch.steps.push(`lock ${name}`);
      real.lock(key, run);
    },
    get: (key, done) => {
      watch.steps.push(`get ${name}`);
      real.get(key, (error, found) => {
        watch.onRead(found);
        done(error, found);
      });
    },
    put: (key, value, done) => {
      watch.steps.push(`put ${name}`);
      real.put(key, value, done);
    },
    del: (key, done) => {
      watch.steps.push(`del ${name}`);
      real.del(key, done);
    },
  });
  return Object.assign(watch, {
    store: {
      ...store,
      getItemDb: (tableName: string) => range('item', store.getItemDb(tableName)),
      getIndexDb: (type: string, tableName: string, indexName: string) =>
        range(`index ${type} ${indexName}`, store.getIndexDb(type, tableName, indexName)),
    },
  });
}

describe('the modules', () => {
  it('has an action and rules for every operation that is not our own', () => {
    for (const name of [...operations.keys()].filter((operation) => !own.includes(operation))) {
      expect(dynalite.action(name), name).toBeTypeOf('function');
      expect(dynalite.rules(name).types, name).toBeTypeOf('object');
    }
  });

  it.each(['PutItem', 'UpdateItem', 'DeleteItem', 'GetItem'])(
    'describes what a transaction takes from %s',
    (name) => {
      const { types, custom } = dynalite.rules(name);
      expect(types).toHaveProperty('TableName.lengthGreaterThanOrEqual');
      expect(types).toHaveProperty(name === 'PutItem' ? 'Item.notNull' : 'Key.notNull');
      expect(types).toHaveProperty(name === 'GetItem' ? 'ProjectionExpression' : 'ConditionExpression.type');
      expect(custom).toBeTypeOf('function');
    },
  );

  it('checks shapes that we describe in its language, nested', () => {
    const types = {
      Items: {
        type: 'List',
        notNull: true,
        lengthLessThanOrEqual: 1,
        children: {
          type: 'ValueStruct<X>',
          children: { Y: { type: 'FieldStruct<Y>', children: { Z: { type: 'String', notNull: true } } } },
        },
      },
    };
    expect(check('', { Items: [{ Y: { Z: 'z', unknown: 1 } }] }, { types })).toEqual({
      Items: [{ Y: { Z: 'z' } }],
    });
    const refusal = (raw: Input) => expect(() => check('', raw, { types }));
    refusal({}).toThrow("at 'items' failed to satisfy constraint: Member must not be null");
    refusal({ Items: [{ Y: {} }] }).toThrow("at 'items.1.member.y.z'");
    refusal({ Items: [{}, {}] }).toThrow('Member must have length less than or equal to 1');
  });

  it('gives errors that are answers: a status and a body', async () => {
    const refusal = {
      statusCode: 400,
      body: { __type: expect.stringMatching(/#ConditionalCheckFailedException$/) },
    };
    await expect(put({ ConditionExpression: 'attribute_exists(id)' })).rejects.toMatchObject(refusal);
    expect(() => check('PutItem', { TableName: 'table', Item: { id: { N: 'x' } } })).toThrow(
      expect.objectContaining({
        statusCode: 400,
        body: { __type: expect.stringMatching(/#ValidationException$/), message: expect.any(String) },
      }),
    );
  });

  it('validates keys and items by their table', async () => {
    const schema = (await table(true)) as never;
    expect(dynalite.db.validateKey(Key as Item, schema)).toBeFalsy();
    expect(dynalite.db.validateKey({ id: { S: 'a' } }, schema)).toMatchObject({ statusCode: 400 });
    expect(dynalite.db.validateItem(item, schema)).toBeFalsy();
    expect(dynalite.db.validateItem({ id: { S: 'a' } }, schema)).toMatchObject({ statusCode: 400 });
  });

  it('brings numbers into normal form while it validates them', () => {
    const value = { L: [{ N: '1.50' }, { NS: ['007'] }] };
    expect(dynalite.validations.validateAttributeValue(value)).toBeUndefined();
    expect(value).toEqual({ L: [{ N: '1.5' }, { NS: ['7'] }] });
  });
});

describe('the store', () => {
  it('keeps an item and its index entries under these keys, and nothing else', async () => {
    await put();
    const keys = await (store.db as unknown as { keys(): { all(): Promise<string[]> } }).keys().all();
    expect(keys.map((key) => key.replace(/~[^~]*$/, '~…')).sort()).toEqual([
      'index-global~table~by-group~…',
      'index-local~table~by-rank~…',
      'item-table~…',
      'table~…',
    ]);
    expect(keys).toContain(`item-table~${await keyOf()}`);
  });

  it('writes a batch whole, with values as they are', async () => {
    const key = `item-table~${await keyOf()}`;
    await new Promise<void>((resolve, reject) => {
      store.db.batch([{ type: 'put', key, value: item }], (error) => (error ? reject(error) : resolve()));
    });
    expect((await perform('GetItem', { TableName: 'table', Key })).Item).toEqual(item);
  });

  it('answers undefined for a key that it does not have', async () => {
    const found = await new Promise((resolve, reject) => {
      store.db.get('nope', (error, value) => (error ? reject(error) : resolve(value)));
    });
    expect(found).toBeUndefined();
  });

  it('finds a table that is being created only if that is allowed', async () => {
    const slow = dynalite.db.create({ createTableMs: 60_000 });
    await slow.db.open();
    const definition = {
      TableName: 'slow',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    };
    const create = check('CreateTable', definition);
    // The action keeps a timer until the table is active.
    const { TableStatus } = await withoutTimers(
      async () =>
        (await act(dynalite.action('CreateTable'), slow, create)).TableDescription as { TableStatus: string },
    );
    expect(TableStatus).toBe('CREATING');
    const find = (mustBeActive: boolean, done: Callback<unknown>) =>
      slow.getTable('slow', mustBeActive, done);
    await expect(
      new Promise((resolve, reject) =>
        find(false, (error, found) => (error ? reject(error) : resolve(found))),
      ),
    ).resolves.toMatchObject({ TableName: 'slow' });
    await expect(
      new Promise((resolve, reject) =>
        find(true, (error, found) => (error ? reject(error) : resolve(found))),
      ),
    ).rejects.toMatchObject({ body: { __type: expect.stringContaining('ResourceNotFoundException') } });
    await new Promise<void>((resolve) => slow.db.close(() => resolve()));
  });

  it('has one queue per item, first come first served, shared by everybody', async () => {
    const order: string[] = [];
    const range = () => store.getItemDb('table');
    const releases: (() => void)[] = [];
    for (const name of ['first', 'second']) {
      range().lock('k', (release) => {
        order.push(name);
        releases.push(release(() => {}));
      });
    }
    range().lock('other', () => order.push('other'));
    expect(order).toEqual(['first', 'other']);
    releases[0]?.();
    await expect.poll(() => order).toEqual(['first', 'other', 'second']);
  });
});

describe('the actions', () => {
  it.each([
    ['PutItem', { Item: { ...item, group: { S: 'other' } } }],
    [
      'UpdateItem',
      {
        Key,
        UpdateExpression: 'SET #g = :g',
        ExpressionAttributeNames: { '#g': 'group' },
        ExpressionAttributeValues: { ':g': { S: 'other' } },
      },
    ],
    ['DeleteItem', { Key }],
  ])('%s locks, reads once, and writes the item last', async (operation, input) => {
    await put();
    const watch = watched();
    await perform(operation, { TableName: 'table', ...input }, watch.store);
    const isDelete = operation === 'DeleteItem';
    expect(watch.steps.slice(0, 2)).toEqual(['lock item', 'get item']);
    expect(watch.steps.at(-1)).toBe(isDelete ? 'del item' : 'put item');
    const indexSteps = watch.steps.slice(2, -1).sort();
    expect(indexSteps).toEqual(
      isDelete
        ? ['del index Global by-group', 'del index Local by-rank']
        : ['del index Global by-group', 'put index Global by-group', 'put index Local by-rank'],
    );
  });

  it('locks by the key that createKey gives', async () => {
    const range = store.getItemDb('table');
    let release: () => void = () => {};
    range.lock(await keyOf(), (unlock) => {
      release = unlock(() => {});
    });
    let isDone = false;
    const write = put().then(() => {
      isDone = true;
    });
    // Far more turns than an unhindered write takes.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    release();
    await write;
  });

  it.each(['PutItem', 'UpdateItem', 'DeleteItem'])(
    '%s judges the condition that is there after the read',
    async (operation) => {
      await put();
      const watch = watched();
      const input = check(operation, {
        TableName: 'table',
        ...(operation === 'PutItem' ? { Item: item } : { Key }),
        ConditionExpression: 'attribute_not_exists(id)',
      });
      expect(input._condition).toMatchObject({
        expression: { type: 'function', name: 'attribute_not_exists', args: [['id']] },
      });
      watch.onRead = () => {
        input._condition = { expression: { type: '=', args: [{ N: '1' }, { N: '1' }] } };
      };
      await expect(act(dynalite.action(operation), watch.store, input)).resolves.toBeDefined();
    },
  );

  it('parses conditions and updates into these trees', () => {
    const { _condition, _updates } = check('UpdateItem', {
      TableName: 'table',
      Key,
      UpdateExpression: 'SET a = :m REMOVE b ADD c :n DELETE d :s',
      ConditionExpression:
        'NOT m = :m AND (#x.y[1] <> :m OR l IN (:m, :n) OR contains(l, :m) OR size(l) = :n)',
      ExpressionAttributeNames: { '#x': 'x.y' },
      ExpressionAttributeValues: { ':m': { M: {} }, ':n': { N: '1' }, ':s': { SS: ['x'] } },
    }) as { _condition: { expression: object }; _updates: { sections: { type: string }[] } };
    expect(_updates.sections.map(({ type }) => type)).toEqual(['set', 'remove', 'add', 'delete']);
    expect(_condition.expression).toMatchObject({
      type: 'and',
      args: [
        { type: 'not', args: [{ type: '=', args: [['m'], { M: {} }] }] },
        {
          type: 'or',
          args: [
            { type: '<>', args: [['x.y', 'y', 1], { M: {} }] },
            {
              type: 'or',
              args: [
                { type: 'in', args: [['l'], { M: {} }, { N: '1' }] },
                {
                  type: 'or',
                  args: [
                    { type: 'function', name: 'contains', args: [['l'], { M: {} }] },
                    { type: '=', args: [{ type: 'function', name: 'size', args: [['l']] }, { N: '1' }] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('reports its cost when it is asked for the total', async () => {
    const total = { ReturnConsumedCapacity: 'TOTAL' };
    expect(await put(total)).toMatchObject({ ConsumedCapacity: { CapacityUnits: 1 } });
    const get = { TableName: 'table', Key, ConsistentRead: true, ...total };
    expect(await perform('GetItem', get)).toMatchObject({ ConsumedCapacity: { CapacityUnits: 1 } });
  });
});

describe('what is still missing, so that we add it', () => {
  it('the item in a failed condition', async () => {
    await put();
    const refused = put({
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await expect(refused).rejects.not.toHaveProperty('body.Item');
  });

  it('equal documents', async () => {
    await put({ Item: { ...item, m: { M: { a: { N: '1' } } } } });
    const compare = put({
      ConditionExpression: 'm = :m',
      ExpressionAttributeValues: { ':m': { M: { a: { N: '1' } } } },
    });
    await expect(compare).rejects.toHaveProperty('body.__type');
  });

  it('the refusal of a name that begins with an underscore', () => {
    expect(
      check('PutItem', { TableName: 'table', Item: item, ConditionExpression: 'attribute_exists(_fence)' }),
    ).toHaveProperty('_condition');
  });

  it('the refusal of a long expression', () => {
    const long = `attribute_exists(${'a'.repeat(5_000)})`;
    expect(check('PutItem', { TableName: 'table', Item: item, ConditionExpression: long })).toHaveProperty(
      '_condition',
    );
  });

  it('the size of text in UTF-8', () => {
    expect(dynalite.db.itemSize({ a: { S: 'é' } })).toBe(2);
  });

  it('the limits of what arithmetic gives', async () => {
    await put({ Item: { ...item, n: { N: '1e38' } } });
    const grown = await perform('UpdateItem', {
      TableName: 'table',
      Key,
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    });
    expect(grown).toHaveProperty('Attributes.n.N', `1${'0'.repeat(37)}1`);
  });

  it('an update that only removes creates the item', async () => {
    await perform('UpdateItem', { TableName: 'table', Key, UpdateExpression: 'REMOVE a' });
    expect((await perform('GetItem', { TableName: 'table', Key })).Item).toEqual(Key);
  });

  it('DeleteItem takes a ReturnValues that makes no sense', async () => {
    await expect(
      perform('DeleteItem', { TableName: 'table', Key, ReturnValues: 'ALL_NEW' }),
    ).resolves.toBeDefined();
  });

  it('a message for a table that exists', async () => {
    const again = perform('CreateTable', {
      TableName: 'table',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    await expect(again).rejects.toMatchObject({ body: { message: '' } });
  });

  it('segment 0 without a total is a whole scan', async () => {
    await expect(perform('Scan', { TableName: 'table', Segment: 0 })).resolves.toBeDefined();
  });

  it.each(own)('the operation %s', (name) => {
    expect(() => dynalite.action(name)).toThrow('Cannot find module');
  });
});

async function withoutTimers<Value>(work: () => Promise<Value>): Promise<Value> {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
  try {
    return await work();
  } finally {
    globalThis.setTimeout = real;
  }
}
