import { InvalidInputError } from '../fence/errors.ts';
import { checkRecord } from '../fence/options.ts';

/** Checks headers that a caller gives to a response. @throws InvalidInputError, which names the one that is none. */
export function checkHeaders(headers: Readonly<Record<string, string>>, path: string): void {
  checkRecord(headers, path);
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && isHeader(name, value)) continue;
    throw new InvalidInputError(
      `${path}.${name}`,
      'HTTP allows no such header',
      'Pass a name of letters, digits and hyphens, and a text of one line without characters beyond Latin-1.',
    );
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
