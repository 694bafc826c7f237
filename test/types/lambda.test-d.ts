import type { Context, SQSRecord } from 'aws-lambda';
import type { Lease, LeaseManager } from 'dynamodb-fenced';
import { type LambdaContext, type Leased, withLease } from 'dynamodb-fenced/lambda';
import { expect, test } from 'tstyche';

declare const leases: LeaseManager;
const resource = ({ messageId }: SQSRecord) => `message/${messageId}`;

test("Lambda's own context fits", () => {
  expect<LambdaContext>().type.toBeAssignableFrom<Context>();
  const handler = withLease(leases, { resource }, (_: SQSRecord, { lease, context }: Leased<Context>) => {
    expect(lease).type.toBe<Lease>();
    return context.functionName;
  });
  expect(handler).type.toBe<(event: SQSRecord, context: Context) => Promise<string>>();
});

test('what is answered while it is held is what the handler may answer', () => {
  const answered = withLease<SQSRecord, number | 'held'>(leases, { resource, held: () => 'held' }, () => 200);
  expect(answered).type.toBe<(event: SQSRecord, context: LambdaContext) => Promise<number | 'held'>>();
});

test('what cannot work does not compile', () => {
  const work = (_: SQSRecord) => 'done';
  expect(withLease).type.toBeCallableWith(leases, { resource }, work);
  expect(withLease).type.not.toBeCallableWith(leases, {}, work);
  expect(withLease).type.not.toBeCallableWith(leases, { resource: 'message/1' }, work);
  expect(withLease).type.not.toBeCallableWith(leases, { resource, ttlMs: 1_000 }, work);
});
