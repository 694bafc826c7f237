import { InvalidInputError } from '../fence/errors.ts';

/** What identifies an item, as an object at least. */
export function checkIdentity(identity: unknown): Readonly<Record<string, unknown>> {
  if (typeof identity === 'object' && identity !== null) return identity as Record<string, unknown>;
  throw new InvalidInputError(
    'key',
    'it is no object',
    "Pass the attributes that identify the item, as { id: 'a1' }.",
  );
}
