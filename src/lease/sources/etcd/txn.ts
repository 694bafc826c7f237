import type { JsonObject } from './json-object.ts';
import type { Range } from './keys.ts';

/** A transaction of etcd: what must hold, what is done then, and what else. */
export interface Txn {
  readonly compare: readonly JsonObject[];
  readonly success: readonly JsonObject[];
  readonly failure: readonly JsonObject[];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export function isAbsent(key: string): JsonObject {
  return { key: base64(key), target: 'CREATE', result: 'EQUAL', create_revision: '0' };
}

export function isPresent(key: string): JsonObject {
  return { key: base64(key), target: 'CREATE', result: 'GREATER', create_revision: '0' };
}

export function isEmpty({ from, end }: Range): JsonObject {
  return { ...isAbsent(from), range_end: base64(end) };
}

/** Of a range: none was created before this revision. */
export function noneBefore({ from, end }: Range, revision: bigint): JsonObject {
  const bound = { target: 'CREATE', result: 'GREATER', create_revision: String(revision - 1n) };
  return { key: base64(from), range_end: base64(end), ...bound };
}

export function wasCreatedAt(key: string, revision: bigint): JsonObject {
  return { key: base64(key), target: 'CREATE', result: 'EQUAL', create_revision: String(revision) };
}

export function wasWrittenAt(key: string, revision: bigint): JsonObject {
  return { key: base64(key), target: 'MOD', result: 'EQUAL', mod_revision: String(revision) };
}

export function holds(key: string, text: string): JsonObject {
  return { key: base64(key), target: 'VALUE', result: 'EQUAL', value: base64(text) };
}

/** By its bytes, so of texts of digits only where they are of the same length. */
export function isBelow(key: string, text: string): JsonObject {
  return { key: base64(key), target: 'VALUE', result: 'LESS', value: base64(text) };
}

export function put(key: string, text: string, lease = 0n): JsonObject {
  return { request_put: { key: base64(key), value: base64(text), lease: String(lease) } };
}

export function del(key: string): JsonObject {
  return { request_delete_range: { key: base64(key) } };
}

export function read(key: string): JsonObject {
  return { request_range: { key: base64(key) } };
}

/** Who came first. */
export function readFirst({ from, end }: Range): JsonObject {
  const order = { sort_order: 'ASCEND', sort_target: 'CREATE', limit: '1' };
  return { request_range: { key: base64(from), range_end: base64(end), ...order } };
}

/** Who came last before this revision. */
export function readLastBefore({ from, end }: Range, revision: bigint): JsonObject {
  const order = { sort_order: 'DESCEND', sort_target: 'CREATE', limit: '1' };
  const before = { max_create_revision: String(revision - 1n) };
  return { request_range: { key: base64(from), range_end: base64(end), ...order, ...before } };
}

/** Everything that happens to a key from a revision on. */
export function watchFrom(key: string, revision: bigint): JsonObject {
  return { create_request: { key: base64(key), start_revision: String(revision) } };
}
