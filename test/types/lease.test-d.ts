import { describe, expect, test } from 'tstyche';
import {
  dynamoTokenSource,
  type Fence,
  type FencingToken,
  type Lease,
  type LeaseCheck,
  LeaseManager,
  memoryTokenSource,
  type TokenSource,
  type UsingResult,
} from '../../src/index.ts';

declare const client: Parameters<typeof dynamoTokenSource>[0]['client'];
declare const lease: Lease;
declare const bareSource: TokenSource;

const inDynamoDB = new LeaseManager({ source: dynamoTokenSource({ client, tableName: 'leases' }), ttlMs: 1 });
const inMemory = new LeaseManager({ source: memoryTokenSource(), ttlMs: 1 });
const elsewhere = new LeaseManager({ source: bareSource, ttlMs: 1 });
const inOtherRegions = new LeaseManager({
  source: dynamoTokenSource({ client, tableName: 'leases', transactions: false }),
  ttlMs: 1,
});

describe('a lease', () => {
  test('is a fence, and its JSON is none', () => {
    expect<Fence>().type.toBeAssignableFrom<Lease>();
    expect<Lease>().type.not.toBeAssignableFrom<ReturnType<Lease['toJSON']>>();
    expect(lease.token).type.toBe<FencingToken>();
  });

  test('is there once `ok` was asked', async () => {
    const result = await inMemory.acquire('r');
    // @ts-expect-error Property 'lease' does not exist on type 'AcquireResult'
    result.lease;
    if (result.ok) expect(result.lease).type.toBe<Lease>();
    else expect(result.reason).type.toBe<'held'>();
  });

  test('gives the work its type', () => {
    expect(inMemory.using('r', {}, async () => 7)).type.toBe<Promise<UsingResult<number>>>();
  });
});

describe('a manager offers what its source does', () => {
  test('check, only where the leases live in DynamoDB', () => {
    expect(inDynamoDB.check(lease)).type.toBe<LeaseCheck>();
    // @ts-expect-error The 'this' context of type 'LeaseManager<MemoryTokenSource>' is not assignable
    inMemory.check(lease);
    // @ts-expect-error The 'this' context of type 'LeaseManager<TokenSource>' is not assignable
    elsewhere.check(lease);
    // @ts-expect-error The 'this' context of type 'LeaseManager<UncheckedDynamoTokenSource>' is not assignable
    inOtherRegions.check(lease);
  });

  test('takeOver, inspect and raise, where the source can', () => {
    expect(inDynamoDB.takeOver(lease)).type.not.toRaiseError();
    expect(inMemory.takeOver(lease)).type.not.toRaiseError();
    // @ts-expect-error The 'this' context of type 'LeaseManager<TokenSource>' is not assignable
    void elsewhere.takeOver(lease);
    // @ts-expect-error The 'this' context of type 'LeaseManager<TokenSource>' is not assignable
    void elsewhere.inspect('r');
    // @ts-expect-error The 'this' context of type 'LeaseManager<TokenSource>' is not assignable
    void elsewhere.raise('r', { above: 1 });
  });

  test('whatever it offers, it is a manager', () => {
    expect<LeaseManager>().type.toBeAssignableFrom(inDynamoDB);
    expect<LeaseManager>().type.toBeAssignableFrom(inMemory);
  });
});
