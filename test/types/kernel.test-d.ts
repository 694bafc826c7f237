import type {
  DeleteItemCommandInput,
  PutItemCommandInput,
  TransactWriteItem,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { PutCommandInput, TransactWriteCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'tstyche';
import { fence } from '../../src/index.ts';
import {
  claimInput,
  entomb,
  explain,
  guard,
  guardCheck,
  nextStamp,
  type Seen,
  type Stamp,
} from '../../src/kernel.ts';
import { dropResponse, faults, type SdkRequestHandler } from '../../src/testing/index.ts';

declare const stamp: Stamp;
declare const put: PutItemCommandInput;
declare const update: UpdateItemCommandInput;
declare const remove: DeleteItemCommandInput;
declare const plainPut: PutCommandInput;
declare const plainUpdate: UpdateCommandInput;

describe('a stamp', () => {
  test('comes from a fence', () => {
    expect(nextStamp(fence('r', 42))).type.toBe<Stamp>();
    expect(nextStamp).type.not.toBeCallableWith({ resource: 'r', token: 42, holder: 'me' });
    expect(nextStamp).type.not.toBeCallableWith(42);
  });

  test('cannot be made of a bare number', () => {
    expect<Stamp>().type.not.toBeAssignableFrom({
      resource: 'r',
      token: 42,
      holder: 'me',
      seq: 1,
      kind: 'lease' as const,
    });
  });
});

describe('a guarded input', () => {
  test("is still an input of the same client's command", () => {
    expect<PutItemCommandInput>().type.toBeAssignableFrom(guard(put, stamp));
    expect<UpdateItemCommandInput>().type.toBeAssignableFrom(guard(update, stamp));
    expect<PutCommandInput>().type.toBeAssignableFrom(guard(plainPut, stamp));
    expect<UpdateCommandInput>().type.toBeAssignableFrom(guard(plainUpdate, stamp));
  });

  test('of a delete is the input of a put', () => {
    expect<PutItemCommandInput>().type.toBeAssignableFrom(
      entomb({ TableName: 't', Key: { id: { S: 'a' } } }, stamp),
    );
    expect(entomb).type.toBeCallableWith(remove, stamp);
    expect(guard).type.not.toBeCallableWith({ TableName: 't' }, stamp);
  });

  test('of a claim is the input of an update', () => {
    expect<UpdateItemCommandInput>().type.toBeAssignableFrom(
      claimInput({ TableName: 't', Key: { id: { S: 'a' } } }, stamp),
    );
  });

  test('is an action of a transaction', () => {
    const Key = { id: { S: 'a' } };
    const change = { TableName: 't', Key, UpdateExpression: 'SET a = b' };
    expect<TransactWriteItem>().type.toBeAssignableFrom({ Update: guard(change, stamp) });
    expect<TransactWriteItem>().type.toBeAssignableFrom({ Put: entomb({ TableName: 't', Key }, stamp) });
    expect<TransactWriteItem>().type.toBeAssignableFrom({
      ConditionCheck: guardCheck({ TableName: 't', Key }, stamp, { as: 'check-absent' }),
    });
    const plain = { TableName: 't', Item: { id: 'a', tags: new Set(['x']) } };
    expect<NonNullable<TransactWriteCommandInput['TransactItems']>[number]>().type.toBeAssignableFrom({
      Put: guard(plain, stamp, { as: 'create', key: 'id' }),
    });
  });

  test('is not made without a stamp', () => {
    expect(guard).type.not.toBeCallableWith(put);
    expect(guard).type.not.toBeCallableWith(put, 42);
    expect(guard).type.not.toBeCallableWith(put, stamp, { as: 'delete' });
  });
});

describe('an explanation', () => {
  test('tells what was seen only where something was', () => {
    const verdict = explain(new Error(), stamp, { as: 'update' });
    expect(verdict).type.not.toHaveProperty('seen');
    if (verdict.is === 'fenced') expect(verdict.seen).type.toBe<Seen>();
  });

  test('needs to know what the write meant', () => {
    expect(explain).type.not.toBeCallableWith(new Error(), stamp);
    expect(explain).type.not.toBeCallableWith(new Error(), stamp, {});
  });
});

describe('a rule for faults', () => {
  test('names an operation that exists', () => {
    const handler = {} as SdkRequestHandler;
    expect(faults).type.toBeCallableWith(handler, [{ on: { op: 'UpdateItem', nth: 2 }, do: dropResponse() }]);
    expect(faults).type.not.toBeCallableWith(handler, [{ on: { op: 'UpdatItem' }, do: dropResponse() }]);
    expect(faults).type.not.toBeCallableWith(handler, [{ on: { op: 'UpdateItem' } }]);
  });
});
