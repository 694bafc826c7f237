import { isDeepStrictEqual } from 'node:util';
import { InvalidInputError } from '../../fence/errors.ts';

/**
 * The `data` of a lease as text, for storages that keep texts: JSON, and only what comes back from it as it was. A Date that
 * came back as a string would surprise whoever inspects the lease, long after it was taken.
 *
 * @returns undefined where there is none.
 * @throws InvalidInputError for what JSON does not hold.
 */
export function encodeData(data: unknown): string | undefined {
  if (data === undefined) return undefined;
  const text = asJson(data);
  if (text !== undefined && isDeepStrictEqual(JSON.parse(text), data)) return text;
  throw new InvalidInputError(
    'data',
    'it would not come back from JSON as it is',
    'Pass texts, finite numbers, booleans, null, and plain arrays and objects of them; leave out what is undefined.',
  );
}

function asJson(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

/** What {@link encodeData} made a text of. A text of somebody else, which is no JSON, is shown as it is. */
export function decodeData(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
