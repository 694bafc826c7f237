import { InvalidInputError } from '../fence/errors.ts';

/** @throws InvalidInputError where there is nothing left to copy: a buffer that was transferred leaves its views behind. */
export function copyOfBytes(bytes: Uint8Array, path: string): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new InvalidInputError(
      path,
      'its bytes are gone, because their buffer was transferred',
      'Store a copy that was made before, as bytes.slice().',
      { cause },
    );
  }
}
