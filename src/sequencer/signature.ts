import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

// Part of what is signed, so that a signature made with the same key for anything else is none for a sequencer.
const PURPOSE = 'dynamodb-fenced/sequencer/v1\0';

/** HMAC-SHA-256 of a payload: 32 bytes. */
export function sign(key: KeyObject, payload: string): Buffer {
  return createHmac('sha256', key).update(PURPOSE).update(payload).digest();
}

/**
 * Whether one of the keys has signed the payload. All of them are asked, and the comparison looks at every byte: how long it
 * takes says neither which byte was wrong nor which key was right.
 */
export function isSigned(keys: readonly KeyObject[], payload: string, signature: Uint8Array): boolean {
  let isAny = false;
  for (const key of keys) {
    const expected = sign(key, payload);
    const isThis = signature.length === expected.length && timingSafeEqual(signature, expected);
    isAny = isThis || isAny;
  }
  return isAny;
}
