import type { Fence, Lease } from 'dynamodb-fenced';
import { type OpenedSequencer, type RejectedReason, sequencer } from 'dynamodb-fenced/sequencer';
import { expect, test } from 'tstyche';

const seals = sequencer(new Uint8Array(32));

test('the key is bytes, and never text', () => {
  expect(sequencer).type.toBeCallableWith(Buffer.alloc(32), { previousKey: new Uint8Array(32) });
  expect(sequencer).type.not.toBeCallableWith('c2VjcmV0');
  expect(sequencer).type.not.toBeCallableWith(new Uint8Array(32), { previousKey: 'c2VjcmV0' });
});

test('a lease and a bare fence are sealed, and what only looks like one is not', () => {
  expect(seals.seal).type.toBeCallableWith({} as Lease);
  expect(seals.seal).type.toBeCallableWith({} as Fence, { ttlMs: 1_000 });
  expect(seals.seal).type.not.toBeCallableWith({ resource: 'account/a1', token: 42 });
  expect(seals.seal).type.not.toBeCallableWith({} as Fence, { ttl: 1_000 });
});

test('what is opened is a fence only where it was accepted', () => {
  const opened = seals.open('x', { resource: 'account/a1' });
  expect(opened).type.toBe<OpenedSequencer>();
  expect(opened).type.not.toHaveProperty('fence');
  if (opened.ok) expect(opened.fence).type.toBe<Fence>();
  else expect(opened.reason).type.toBe<RejectedReason>();
  // It is no lease: it cannot be renewed or released.
  expect<Lease>().type.not.toBeAssignableFrom<Extract<OpenedSequencer, { ok: true }>['fence']>();
});
