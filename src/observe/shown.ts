import { createHash } from 'node:crypto';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';

/**
 * How a name is shown, which may be that of a person: as it is (`plain`), as 16 hexadecimal digits of its SHA-256 (`hashed`), not at all
 * (`omitted`), or as what a function makes of it. A plain hash of an account number can be tried out; one with a secret of
 * yours, by a function, cannot.
 */
export type Shown = 'plain' | 'hashed' | 'omitted' | ((text: string) => string | undefined);

/** Checks the option. */
export function checkShown(shown: Shown, path: string): void {
  if (typeof shown === 'function' || shown === 'plain' || shown === 'hashed' || shown === 'omitted') return;
  throw new InvalidInputError(
    path,
    `${describe(shown)} is no way to show it`,
    "Pass 'plain', 'hashed', 'omitted', or a function of the text.",
  );
}

/** A name as it is shown; undefined where it is not. */
export function show(text: string, shown: Shown): string | undefined {
  if (typeof shown === 'function') return shown(text);
  if (shown === 'hashed') return createHash('sha256').update(text).digest('hex').slice(0, 16);
  return shown === 'plain' ? text : undefined;
}
