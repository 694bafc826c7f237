import { describe, expect, test } from 'tstyche';
import { add } from '../../src/expressions.ts';
import {
  type DynamoTokenSource,
  type Fence,
  type FencedRepository,
  type Lease,
  type LeaseManager,
  type MemoryTokenSource,
  type Plan,
  type Step,
  transact,
  transactGet,
  unwrap,
  type Versioned,
} from '../../src/index.ts';

interface Account {
  id: string;
  balance: number;
}

interface Slot {
  room: string;
  hour: number;
  bookedBy?: string;
}

declare const a: Fence;
declare const lease: Lease;
declare const accounts: FencedRepository<Account, 'id'>;
declare const slots: FencedRepository<Slot, 'room' | 'hour'>;
declare const leases: LeaseManager<DynamoTokenSource>;
declare const inMemory: LeaseManager<MemoryTokenSource>;

const debit = accounts.plan.update(a, { id: 'a' }, { balance: add(-30) });
const slot = slots.plan.create(a, { room: 'r', hour: 9 });
const removal = accounts.plan.delete(a, { id: 'b' });
const held = leases.check(lease);

describe('the result of named steps', () => {
  test('has the version of each step that leaves one', async () => {
    const { versions, replayed } = unwrap(await transact({ debit, slot, removal, held }));
    expect(replayed).type.toBe<boolean>();
    expect(versions.debit).type.toBe<string>();
    expect(versions.slot).type.toBe<string>();
    expect(versions.removal).type.toBe<undefined>();
    expect(versions.held).type.toBe<undefined>();
    // @ts-expect-error Property 'credit' does not exist
    versions.credit;
  });

  test('refuses by the name of a step, with what that step would answer', async () => {
    const result = await transact({ debit, slot, held });
    // @ts-expect-error Property 'versions' does not exist
    result.versions;
    if (result.ok) return;
    expect(result.step).type.toBe<'debit' | 'slot' | 'held' | undefined>();
    if (result.step === 'debit' && result.reason === 'condition') expect(result.item).type.toBe<Account>();
    if (result.step === 'slot' && result.reason === 'exists') expect(result.item).type.toBe<Slot>();
    if (result.reason === 'fenced') expect(result.lastToken).type.toBeAssignableTo<number>();
    if (result.step === 'held') expect(result.reason).type.toBe<'fenced' | 'lost' | 'contention'>();
    for (const one of result.refused) {
      expect(one.step).type.toBe<'debit' | 'slot' | 'held'>();
      expect(one.tableName).type.toBe<string>();
    }
  });
});

test('a list answers by place', async () => {
  const result = await transact([debit, held, slot]);
  if (result.ok) {
    expect(result.versions).type.toBe<readonly [string, undefined, string]>();
  } else {
    expect(result.step).type.toBe<number | undefined>();
  }
});

test('steps that were collected at run time answer what any may', async () => {
  const steps: Step[] = [debit, held];
  const plans: Record<string, Plan> = { debit, slot };
  const [listed, named] = [await transact(steps), await transact(plans)];
  if (!listed.ok) expect(listed.refused[0]?.reason).type.toBeAssignableTo<string | undefined>();
  if (!named.ok) expect(named.step).type.toBe<string | undefined>();
  else expect(named.versions.debit).type.toBe<string | undefined>();
});

describe('a step', () => {
  test('is a plan or a check, not a call', () => {
    // @ts-expect-error is not assignable to type 'Step'
    void transact({ debit: accounts.update(a, { id: 'a' }, { balance: add(-30) }) });
    // @ts-expect-error is not assignable to type 'Step'
    void transact([accounts.plan.get({ id: 'a' })]);
    // @ts-expect-error The 'this' context of type 'LeaseManager<MemoryTokenSource>' is not assignable
    void transact({ held: inMemory.check(lease) });
  });

  test('is typed as its verb is', () => {
    // @ts-expect-error Type 'string' is not assignable to type 'number'
    accounts.plan.put(a, { id: 'a', balance: '1' });
    // @ts-expect-error 'balanc' does not exist
    accounts.plan.update(a, { id: 'a' }, { balanc: 1 });
    // @ts-expect-error Property 'hour' is missing
    slots.plan.check(a, { room: 'r' });
    // @ts-expect-error Argument of type 'number' is not assignable to parameter of type 'Fence'
    accounts.plan.delete(42, { id: 'a' });
    // @ts-expect-error Expected 2 arguments, but got 3
    accounts.plan.create(a, { id: 'a', balance: 1 }, { when: { balance: 1 } });
  });
});

test('reads answer under their names', async () => {
  const account = accounts.plan.get({ id: 'a' });
  const hour = slots.plan.get({ room: 'r', hour: 9 });
  const named = await transactGet({ account, hour });
  expect(named.account).type.toBe<Versioned<Account> | undefined>();
  expect(named.hour).type.toBe<Versioned<Slot> | undefined>();
  const listed = await transactGet([account, hour]);
  expect(listed).type.toBe<readonly [Versioned<Account> | undefined, Versioned<Slot> | undefined]>();
  // @ts-expect-error is missing the following properties from type 'ReadPlan
  void transactGet([debit]);
});
