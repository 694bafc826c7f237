import { checkDecimalText } from './number.ts';

/**
 * The text of a number that another type holds, as `NumberValue` of `@aws-sdk/lib-dynamodb` does: told by
 * its `toAttributeValue()`, because that package is optional and its classes are renamed by minifiers.
 *
 * @returns undefined for anything else.
 */
export function numberValueText(value: object, path: string): string | undefined {
  if (!('toAttributeValue' in value) || typeof value.toAttributeValue !== 'function') return undefined;
  const attributeValue: unknown = value.toAttributeValue();
  if (typeof attributeValue !== 'object' || attributeValue === null) return undefined;
  const { N: text } = attributeValue as { readonly N?: unknown };
  return typeof text === 'string' ? checkDecimalText(text, path) : undefined;
}
