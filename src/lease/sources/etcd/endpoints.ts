import { describe } from '../../../fence/describe.ts';
import { InvalidInputError } from '../../../fence/errors.ts';

/**
 * Where the members of a cluster answer. A password in an address would end up in error messages and in the logs of proxies, so
 * there may be none.
 */
export function checkEndpoints(given: unknown): readonly URL[] {
  const texts = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(texts) || texts.length === 0) {
    throw new InvalidInputError('endpoints', `${describe(given)} names no member of a cluster`, advice);
  }
  return texts.map((text, n) => endpoint(text, `endpoints[${n}]`));
}

const advice = 'Pass one address or several, as http://127.0.0.1:2379.';

function endpoint(text: unknown, path: string): URL {
  if (typeof text !== 'string' || !URL.canParse(text)) {
    throw new InvalidInputError(path, `${describe(text)} is no URL`, advice);
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new InvalidInputError(path, `${url.protocol} is neither http: nor https:`, advice);
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidInputError(
      path,
      'it holds a name or a password',
      'Pass the address alone, and what proves who you are by the option authorization.',
    );
  }
  return url;
}
