import { InvalidInputError } from './errors.ts';

// A resource becomes a partition key, of at most 2,048 bytes, and may have to share it with a prefix.
const MAX_BYTES = 1024;

const control = /\p{Cc}/u;
const loneSurrogate = /\p{Surrogate}/u;

/** Checks a name that people read and machines pass on: of a resource, a holder. It becomes a header and a log field. */
export function checkName(name: string, path: string, maxBytes = MAX_BYTES): string {
  const problem =
    typeof name !== 'string' || name === ''
      ? 'it must be text that is not empty'
      : Buffer.byteLength(name) > maxBytes
        ? `it is longer than ${maxBytes.toLocaleString('en')} bytes`
        : control.test(name)
          ? 'it has control characters'
          : loneSurrogate.test(name)
            ? 'it holds half of a surrogate pair, which UTF-8 cannot express'
            : undefined;
  if (problem === undefined) return name;
  throw new InvalidInputError(path, problem, 'Pass a short name, as account/a1 or fn-7f3a.');
}
