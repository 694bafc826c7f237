import type { HiddenAttributes } from '../dynamo/attributes.ts';
import { checkName } from '../dynamo/text.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';

/** The names of the hidden attributes. @throws InvalidInputError where they are not four different names. */
export function checkHiddenNames(attributes: HiddenAttributes): ReadonlySet<string> {
  for (const [attribute, name] of Object.entries(attributes)) {
    if (typeof name === 'string' && name !== '') {
      checkName(name, `attributes.${attribute}`);
      continue;
    }
    throw new InvalidInputError(
      `attributes.${attribute}`,
      `${describe(name)} is no name`,
      'Pass a text, or leave it out to have the default.',
    );
  }
  const names = new Set<string>(Object.values(attributes));
  if (names.size === 4) return names;
  throw new InvalidInputError(
    'attributes',
    names.size < 4 ? 'two hidden attributes have one name' : 'there are more than four of them',
    'Give fence, holder, seq and version a name each, all different.',
  );
}
