import { describe, expect, it } from 'vitest';
import { claimInput } from '../../src/dynamo/claim-input.ts';
import { entomb } from '../../src/dynamo/entomb.ts';
import { guard } from '../../src/dynamo/guard.ts';
import type { ExpressionParts } from '../../src/dynamo/placeholders.ts';
import { stampOf } from '../kernel/stored-states.ts';
import { invalidInput } from './invalid-input.ts';

const TableName = 'accounts';
const Key = { id: { S: 'a1' } };
const lease = stampOf('lease');

const ofLease =
  '(attribute_not_exists(#df0) OR #df0 < :df0 OR (#df0 = :df0 AND #df1 = :df1 AND #df2 < :df2))';
const names = { '#df0': '_fence', '#df1': '_fenceHolder', '#df2': '_fenceSeq' };
const values = { ':df0': { N: '42' }, ':df1': { S: 'me' }, ':df2': { N: '5' } };
const returnsItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

describe('what a guarded input looks like', () => {
  it('a Put', () => {
    expect(guard({ TableName, Item: { ...Key, balance: { N: '1' } } }, lease)).toEqual({
      TableName,
      Item: {
        ...Key,
        balance: { N: '1' },
        _fence: { N: '42' },
        _fenceHolder: { S: 'me' },
        _fenceSeq: { N: '5' },
        _fenceVersion: { S: '42.5.me' },
      },
      ConditionExpression: ofLease,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...returnsItem,
    });
  });

  it('a Put that creates', () => {
    const input = guard({ TableName, Item: Key }, lease, { as: 'create', key: 'id' });
    expect(input.ConditionExpression).toBe(
      `${ofLease} AND (attribute_not_exists(#df3) OR (attribute_exists(#df0) AND attribute_not_exists(#df4)))`,
    );
    expect(input.ExpressionAttributeNames).toEqual({ ...names, '#df3': 'id', '#df4': '_fenceVersion' });
  });

  it('an Update, with a condition of its own', () => {
    const own = {
      UpdateExpression: 'SET balance = :b',
      ConditionExpression: 'balance > :b OR #o = :b',
      ExpressionAttributeNames: { '#o': 'other' },
      ExpressionAttributeValues: { ':b': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    };
    expect(guard({ TableName, Key, ...own }, lease)).toEqual({
      TableName,
      Key,
      ReturnValues: 'ALL_NEW',
      UpdateExpression: 'SET #df0 = :df3, #df1 = :df4, #df2 = :df5, #df4 = :df6, balance = :b',
      ConditionExpression: `${ofLease} AND (attribute_exists(#df4) OR (attribute_exists(#df3) AND attribute_not_exists(#df0))) AND (balance > :b OR #o = :b)`,
      ExpressionAttributeNames: { ...names, '#df3': 'id', '#df4': '_fenceVersion', '#o': 'other' },
      ExpressionAttributeValues: {
        ...values,
        ':df3': { N: '42' },
        ':df4': { S: 'me' },
        ':df5': { N: '5' },
        ':df6': { S: '42.5.me' },
        ':b': { N: '1' },
      },
      ...returnsItem,
    });
  });

  it('an upsert, in plain values: nothing asks for an item', () => {
    const input = guard({ TableName, Key: { id: 'a1' } }, lease, { as: 'upsert' });
    expect(input.ConditionExpression).toBe(ofLease);
    expect(input.ExpressionAttributeValues).toMatchObject({ ':df0': 42, ':df1': 'me', ':df2': 5 });
  });

  it('a delete', () => {
    expect(entomb({ TableName, Key, ReturnValues: 'ALL_OLD' }, lease)).toEqual({
      TableName,
      Item: { ...Key, _fence: { N: '42' }, _fenceHolder: { S: 'me' }, _fenceSeq: { N: '5' } },
      ReturnValues: 'ALL_OLD',
      ConditionExpression: ofLease,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...returnsItem,
    });
  });

  it('a claim', () => {
    expect(claimInput({ TableName, Key }, lease)).toMatchObject({
      ConditionExpression: `${ofLease} AND (attribute_exists(#df0) OR attribute_not_exists(#df3))`,
      UpdateExpression: 'SET #df0 = :df3, #df1 = :df4, #df2 = :df5',
      ReturnValues: 'ALL_NEW',
    });
  });

  it('the claim that adopts', () => {
    expect(claimInput({ TableName, Key }, lease, { adopt: true })).toMatchObject({
      ConditionExpression: '(attribute_exists(#df0) AND attribute_not_exists(#df1))',
      ExpressionAttributeNames: { '#df0': 'id', '#df1': '_fence' },
      UpdateExpression: 'SET #df1 = :df0, #df2 = :df1, #df3 = :df2, #df4 = :df3',
    });
  });

  it('a write of a bare fence: whoever carries the token', () => {
    const { ConditionExpression } = guard({ TableName, Item: Key }, stampOf('bare'));
    const anybody =
      '(#df0 = :df0 AND attribute_not_exists(#df1)) OR (#df0 = :df0 AND attribute_type(#df1, :df3) AND #df1 <> :df1)';
    expect(ConditionExpression).toBe(`${ofLease.slice(0, -1)} OR ${anybody})`);
  });

  it('with other names for the hidden attributes', () => {
    const attributes = { fence: 'f', holder: 'h', seq: 's', version: 'v' };
    const input = guard({ TableName, Item: { ...Key, _fence: { N: '7' } } }, lease, { attributes });
    expect(input.Item).toEqual({
      ...{ ...Key, _fence: { N: '7' } },
      ...{ f: { N: '42' }, h: { S: 'me' }, s: { N: '5' }, v: { S: '42.5.me' } },
    });
    expect(Object.values(input.ExpressionAttributeNames)).toEqual(['f', 'h', 's']);
  });

  it('has no NOT and no > on the fence: both fail open where the fence is damaged', () => {
    const options = { unfenced: 'refuse', ifVersion: 'unfenced' } as const;
    const inputs = (['lease', 'numbered', 'bare'] as const)
      .map(stampOf)
      .flatMap((stamp) => [
        guard({ TableName, Item: Key }, stamp, { ...options, as: 'create', key: 'id' }),
        guard({ TableName, Item: Key }, stamp, { ...options, as: 'put', key: 'id' }),
        guard({ TableName, Key }, stamp, { ...options, as: 'update' }),
        guard({ TableName, Key }, stamp, { as: 'upsert', ifVersion: '41.1.x' }),
        entomb({ TableName, Key }, stamp, options),
        claimInput({ TableName, Key }, stamp, { unfenced: 'refuse' }),
        claimInput({ TableName, Key }, stamp, { adopt: true }),
      ]);
    for (const { ConditionExpression } of inputs) {
      expect(ConditionExpression).not.toMatch(/\bNOT\b|>=|(?<!<)>/i);
    }
    expect('#f > :f').toMatch(/\bNOT\b|>=|(?<!<)>/i);
  });

  it('leaves the input as it was', () => {
    const input = deepFreeze({
      TableName,
      Key: { id: { S: 'a' } },
      UpdateExpression: 'SET v = :v',
      ExpressionAttributeNames: { '#v': 'v' },
      ExpressionAttributeValues: { ':v': { S: 'x' } },
    });
    const guarded = guard(input, lease);
    expect(guarded.ExpressionAttributeNames).not.toBe(input.ExpressionAttributeNames);
    expect(() => entomb({ TableName, Key: input.Key }, lease)).not.toThrow();
    expect(() => guard(deepFreeze({ TableName, Item: { id: 'a' } }), lease)).not.toThrow();
  });

  it('the same stamp makes the same bytes, every time', () => {
    const make = () =>
      JSON.stringify(guard({ TableName, Key, UpdateExpression: 'REMOVE x' }, stampOf('bare')));
    expect(make()).toBe(make());
  });
});

describe("the caller's own parts", () => {
  const condition = (ConditionExpression: string) =>
    guard({ TableName, Item: Key, ConditionExpression }, lease).ConditionExpression.slice(
      `${ofLease} AND `.length,
    );

  it('an OR stays inside its parentheses', () => {
    expect(condition('a = :a OR b = :b')).toBe('(a = :a OR b = :b)');
  });

  it('has one pair of them, as DynamoDB refuses two', () => {
    expect(condition('(a = :a OR b = :b)')).toBe('(a = :a OR b = :b)');
    expect(condition(' ((a = :a)) ')).toBe('(a = :a)');
    expect(condition('(a = :a) OR (b = :b)')).toBe('((a = :a) OR (b = :b))');
  });

  it.each(['a = :a) OR (b = :b', ')', '(', 'a = :a)', '(a = :a'])('cannot escape: %s', (expression) => {
    expect(() => condition(expression)).toThrow(invalidInput('ConditionExpression', /do not match/));
    const input = { TableName, Key, ConditionExpression: expression };
    expect(() => entomb(input, lease)).toThrow(invalidInput('ConditionExpression', /do not match/));
  });

  it.each<[string, ExpressionParts]>([
    ['names that look like ours', { ExpressionAttributeNames: { '#df0': 'balance' } }],
    ['values that look like ours', { ExpressionAttributeValues: { ':df0': { N: '1' } } }],
    ['a value in use that was forgotten', { ConditionExpression: 'balance = :df1' }],
    ['a name in an update', { UpdateExpression: 'SET #df4 = :x' }],
    ['the next prefix too', { ExpressionAttributeNames: { '#df': 'x', '#df1_0': 'y' } }],
    ['a longer word', { ExpressionAttributeValues: { ':default': { N: '1' } } }],
  ])('%s keep their meaning', (_, parts) => {
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = parts;
    const guarded = guard({ TableName, Key, ...parts }, lease);
    expect(guarded.ExpressionAttributeNames).toMatchObject(names ?? {});
    expect(guarded.ExpressionAttributeValues).toMatchObject(values ?? {});
    // All of ours are there too, and under placeholders that the caller uses nowhere.
    const ours = Object.entries(guarded.ExpressionAttributeNames).filter(([, name]) =>
      name.startsWith('_fence'),
    );
    expect(ours.map(([, name]) => name).sort()).toEqual([
      '_fence',
      '_fenceHolder',
      '_fenceSeq',
      '_fenceVersion',
    ]);
    const theirs = JSON.stringify(parts).match(/[#:]\w+/g);
    for (const [placeholder] of ours) expect(theirs).not.toContain(placeholder);
    expect(Object.keys(guarded.ExpressionAttributeValues)).toHaveLength(7 + Object.keys(values ?? {}).length);
    for (const value of Object.keys(guarded.ExpressionAttributeValues)) {
      expect(value in (values ?? {}) || !theirs?.includes(value)).toBe(true);
    }
  });
});

describe('what is refused before anything is sent', () => {
  const update = (parts: object) => () => guard({ TableName, Key, ...parts }, lease);

  it.each([
    ['in a Put', () => guard({ TableName, Item: { ...Key, _fence: { N: '999' } } }, lease), 'Item'],
    ['as a key', () => guard({ TableName, Key: { _fenceHolder: { S: 'x' } } }, lease), 'Key'],
    ['as the key of a delete', () => entomb({ TableName, Key: { _fence: { S: 'x' } } }, lease), 'Key'],
    ['as the key of a claim', () => claimInput({ TableName, Key: { _fence: { S: 'x' } } }, lease), 'Key'],
    ['in an update', update({ UpdateExpression: 'SET _fence = :x' }), 'UpdateExpression'],
    [
      'in an update, without blanks',
      update({ UpdateExpression: 'SET a=:a,_fenceSeq=:x' }),
      'UpdateExpression',
    ],
    ['in a removal', update({ UpdateExpression: 'REMOVE a, _fenceVersion' }), 'UpdateExpression'],
    ['as a value', update({ UpdateExpression: 'SET a = _fenceSeq' }), 'UpdateExpression'],
    ['in a function', update({ UpdateExpression: 'SET a = if_not_exists(_fence, :x)' }), 'UpdateExpression'],
    [
      'in a condition',
      update({ ConditionExpression: 'attribute_not_exists(_fence)' }),
      'ConditionExpression',
    ],
    [
      'in the condition of a delete',
      () => entomb({ TableName, Key, ConditionExpression: '_fence < :x' }, lease),
      'ConditionExpression',
    ],
    ['under an alias', update({ ExpressionAttributeNames: { '#x': '_fence' } }), 'ExpressionAttributeNames'],
    // Only the top level belongs to the fence, but telling the levels apart is not worth a mistake.
    ['within a map', update({ UpdateExpression: 'SET m._fence = :x' }), 'UpdateExpression'],
    ['within a list', update({ ConditionExpression: 'l[0]._fence = :x' }), 'ConditionExpression'],
  ])('a hidden attribute %s', (_, attempt, path) => {
    expect(attempt).toThrow(invalidInput(path, /kept by the fence/));
  });

  it('but not its name as a value, or as a part of another name', () => {
    expect(
      update({
        UpdateExpression: 'SET my_fence = :_fence',
        ExpressionAttributeValues: { ':_fence': { S: '_fence' } },
      }),
    ).not.toThrow();
    expect(() =>
      guard({ TableName, Item: { ...Key, m: { M: { _fence: { N: '1' } } } } }, lease),
    ).not.toThrow();
  });

  it.each(['AttributeUpdates', 'Expected', 'ConditionalOperator'])('the legacy parameter %s', (parameter) => {
    expect(update({ [parameter]: {} })).toThrow(invalidInput(parameter, /legacy/));
    expect(() => entomb({ TableName, Key, [parameter]: {} }, lease)).toThrow(
      invalidInput(parameter, /legacy/),
    );
    expect(update({ [parameter]: undefined })).not.toThrow();
  });

  it.each([
    ['update of an Item', () => guard({ TableName, Item: Key }, lease, { as: 'update' })],
    ['upsert of an Item', () => guard({ TableName, Item: Key }, lease, { as: 'upsert' })],
    ['create with a Key', () => guard({ TableName, Key }, lease, { as: 'create' })],
    ['put with a Key', () => guard({ TableName, Key }, lease, { as: 'put' })],
    ['a word that is none', () => guard({ TableName, Key }, lease, { as: 'delete' as 'update' })],
  ])('%s', (_, attempt) => {
    expect(attempt).toThrow(invalidInput('as', /does not fit/));
  });

  it.each([
    ['creates', { as: 'create' }],
    ['refuses unfenced items', { unfenced: 'refuse' }],
    ["asks for the version 'unfenced'", { ifVersion: 'unfenced' }],
  ] as const)('a Put without its key that %s', (_, options) => {
    expect(() => guard({ TableName, Item: Key }, lease, options)).toThrow(
      invalidInput('key', /key attribute/),
    );
    expect(() => guard({ TableName, Item: Key }, lease, { ...options, key: 'id' })).not.toThrow();
  });

  it('a key that the Item does not have: every item would count as absent', () => {
    const attempt = () => guard({ TableName, Item: Key }, lease, { as: 'create', key: 'ID' });
    expect(attempt).toThrow(invalidInput('key', /no attribute "ID"/));
    const inherited = () => guard({ TableName, Item: Key }, lease, { as: 'create', key: 'toString' });
    expect(inherited).toThrow(invalidInput('key', /no attribute/));
  });

  it('an input without a key or an item', () => {
    expect(() => guard({ TableName, Key: {} }, lease)).toThrow(invalidInput('Key', /empty/));
    expect(() => guard({ TableName, Item: undefined }, lease)).toThrow(invalidInput('Item', /empty/));
    expect(() => entomb({ TableName, Key: undefined }, lease)).toThrow(invalidInput('Key', /empty/));
    expect(() => claimInput({ TableName, Key: {} }, lease)).toThrow(invalidInput('Key', /empty/));
  });

  it('an update expression that begins with no clause', () => {
    expect(update({ UpdateExpression: 'a = :a' })).toThrow(invalidInput('UpdateExpression', /SET/));
  });

  it.each(['ConditionExpression', 'UpdateExpression'])(
    'a claim with a %s: it would not be obeyed',
    (name) => {
      expect(() => claimInput({ TableName, Key, [name]: 'x' }, lease)).toThrow(
        invalidInput(name, /takes whatever/),
      );
    },
  );
});

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part);
  return Object.freeze(value);
}

describe('an expression that DynamoDB would refuse for its length', () => {
  const long = (bytes: number) => `a = ${'x'.repeat(bytes - 4)}`;

  it('is refused by itself, and together with what the fence adds', () => {
    expect(() => guard({ TableName, Key, ConditionExpression: long(4097) }, lease)).toThrow(
      invalidInput('ConditionExpression', /4097 bytes, and DynamoDB takes 4096/),
    );
    expect(() => guard({ TableName, Key, ConditionExpression: long(4000) }, lease)).toThrow(
      invalidInput('ConditionExpression', /bytes together with what the fence adds/),
    );
    expect(() => guard({ TableName, Key, UpdateExpression: `SET ${long(4080)}` }, lease)).toThrow(
      invalidInput('UpdateExpression', /bytes together with what the fence adds/),
    );
    expect(() => guard({ TableName, Key, ConditionExpression: long(3800) }, lease)).not.toThrow();
  });
});
