import { EtcdError } from './etcd-error.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/*
 * The gateway writes protocol buffers as JSON: integers of 64 bits as texts, bytes as base64, and what has its default value
 * not at all. Everything else is no answer of etcd, and is refused before a token comes of it.
 */

const int64 = /^(0|-?[1-9][0-9]{0,18})$/;

export function int64In(answer: JsonObject, name: string): bigint {
  const value = answer[name] ?? '0';
  if (typeof value === 'string' && int64.test(value)) return BigInt(value);
  throw unheard(`${JSON.stringify(value)} for ${name}`);
}

export function bytesIn(answer: JsonObject, name: string): string {
  const value = answer[name] ?? '';
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.toString('base64') === value) return bytes.toString();
  }
  throw unheard(`${JSON.stringify(value)} for ${name}`);
}

export function flagIn(answer: JsonObject, name: string): boolean {
  const value = answer[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw unheard(`${JSON.stringify(value)} for ${name}`);
}

export function objectIn(answer: JsonObject, name: string): JsonObject {
  const value = answer[name];
  if (isJsonObject(value)) return value;
  throw unheard(`${JSON.stringify(value)} for ${name}`);
}

export function objectsIn(answer: JsonObject, name: string): readonly JsonObject[] {
  const value = answer[name] ?? [];
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw unheard(`${JSON.stringify(value)} for ${name}`);
}

function unheard(what: string): EtcdError {
  return new EtcdError(`etcd answered with ${what.slice(0, 200)}`);
}
