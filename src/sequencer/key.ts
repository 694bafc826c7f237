import { createSecretKey, type KeyObject } from 'node:crypto';
import { types } from 'node:util';
import { InvalidInputError } from '../fence/errors.ts';

/** A secret of at least 32 bytes, as bytes or as a `KeyObject` of `node:crypto`. */
export type SequencerKey = Uint8Array | KeyObject;

// HMAC takes a key of any length and is as strong as the key: RFC 2104 §3 asks for the length of the hash, at least.
const LEAST_BYTES = 32;

/** Checks a key, and hides its bytes from whoever prints the object that keeps it. */
export function secretKey(key: SequencerKey, path: string): KeyObject {
  // Never shown: it may be the secret, as text.
  if (!types.isKeyObject(key) && !types.isUint8Array(key)) {
    throw new InvalidInputError(path, `a value of type ${typeof key} is no secret key`, advice);
  }
  // A copy is made of the bytes: the caller may overwrite its own.
  const secret = types.isKeyObject(key) ? key : createSecretKey(key);
  if (secret.type !== 'secret') throw new InvalidInputError(path, `this is a ${secret.type} key`, advice);
  const bytes = secret.symmetricKeySize ?? 0;
  if (bytes >= LEAST_BYTES) return secret;
  throw new InvalidInputError(path, `${bytes} bytes are too few for a secret`, advice);
}

const advice =
  'Pass at least 32 random bytes, as randomBytes(32) makes them, from where you keep your secrets: Buffer.from(secret, "base64").';
