import { InvalidInputError } from '../fence/errors.ts';
import type { HiddenAttributes } from './attributes.ts';
import type { ExpressionParts } from './placeholders.ts';
import { mentionedNames } from './update-expression.ts';

const legacy = ['AttributeUpdates', 'Expected', 'ConditionalOperator'] as const;

/** DynamoDB ignores nothing and mixes nothing: a request with these may not have expressions at all. */
export function refuseLegacyParameters(input: object): void {
  const found = legacy.find((parameter) => (input as Record<string, unknown>)[parameter] !== undefined);
  if (found === undefined) return;
  throw new InvalidInputError(
    found,
    'this legacy parameter cannot stand beside a condition expression',
    'Use UpdateExpression and ConditionExpression instead.',
  );
}

/**
 * A write that names a hidden attribute could forge or erase the fence.
 *
 * @param path what the caller knows the input as, for errors; default the parameter that it stands in.
 */
export function refuseHiddenAttributes(
  input: ExpressionParts & { readonly Item?: object | undefined; readonly Key?: object | undefined },
  attributes: HiddenAttributes,
  path?: string,
): void {
  const hidden = new Set<string>(Object.values(attributes));
  const names = input.ExpressionAttributeNames ?? {};
  const places: readonly (readonly [string, Iterable<string>])[] = [
    ['Item', Object.keys(input.Item ?? {})],
    ['Key', Object.keys(input.Key ?? {})],
    ['ExpressionAttributeNames', Object.values(names)],
    ['UpdateExpression', mentionedNames(input.UpdateExpression, names)],
    ['ConditionExpression', mentionedNames(input.ConditionExpression, names)],
  ];
  for (const [parameter, mentioned] of places) {
    for (const name of mentioned) {
      if (hidden.has(name)) throw hiddenAttributeError(path ?? parameter, name);
    }
  }
}

export function hiddenAttributeError(path: string, name: string): InvalidInputError {
  return new InvalidInputError(
    path,
    `${name} is kept by the fence and cannot be used`,
    'Leave it out, or choose other names for the hidden attributes (option attributes).',
  );
}
