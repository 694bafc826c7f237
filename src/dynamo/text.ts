import { InvalidInputError } from '../fence/errors.ts';

const loneSurrogate = /\p{Surrogate}/u;

/** DynamoDB keeps text as UTF-8, which has no form for half of a surrogate pair. */
export function checkText(text: string, path: string): string {
  if (!loneSurrogate.test(text)) return text;
  throw new InvalidInputError(
    path,
    'the text holds half of a surrogate pair, which UTF-8 cannot express',
    'It was probably cut in the middle of a character: cut it with Array.from(text), or repair it with toWellFormed().',
  );
}

/**
 * Checks the name of an attribute or of a key in a map.
 *
 * `__proto__` is refused because it does not survive the AWS SDK (measured with 3.1169): what is read back
 * under it at the top of an item is undefined, and the document client's marshaller spreads its content
 * into the map around it.
 */
export function checkName(name: string, path: string): string {
  if (name === '') {
    throw new InvalidInputError(path, 'it has a key that is empty text', 'Give every attribute a name.');
  }
  if (name === '__proto__') {
    throw new InvalidInputError(
      path,
      'it has a key of its own named __proto__, which does not survive the AWS SDK',
      'Drop or rename it. JSON.parse makes such keys of hostile input.',
    );
  }
  return checkText(name, path);
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The path of a key of the object at `path`, as JavaScript would write it. */
export function below(path: string, name: string): string {
  return identifier.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}
