import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { HiddenAttributes, Item } from './attributes.ts';
import { isAttributeValue } from './input-form.ts';
import { own } from './own.ts';

/**
 * The hidden attributes of an item in attribute value form, whichever client read it. The content, which
 * may be anything, is left out.
 */
export function hiddenPart(item: Readonly<Record<string, unknown>>, attributes: HiddenAttributes): Item {
  const hidden: Item = {};
  for (const name of Object.values(attributes)) {
    const value = own(item, name);
    if (value !== undefined) hidden[name] = attributeValue(value);
  }
  return hidden;
}

// A document client gives numbers as number, bigint, or NumberValue, an object with its text in `value`.
function attributeValue(value: unknown): AttributeValue {
  if (isAttributeValue(value)) return value as AttributeValue;
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' || typeof value === 'bigint') return { N: String(value) };
  const text = (value as { value?: unknown } | null)?.value;
  // Anything else cannot be compared with a stamp: that it is there is all that matters.
  return typeof text === 'string' ? { N: text } : { NULL: true };
}
