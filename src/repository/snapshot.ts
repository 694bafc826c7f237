import { types } from 'node:util';

/**
 * A copy that nobody changes while it is looked at: of plain objects, arrays, sets and bytes, at any depth. Whatever else lies in
 * it is taken over as it is, for a schema may turn an instance of a class into data.
 */
export function snapshot<T>(value: T): T {
  return copy(value, new Map()) as T;
}

// Remembers what was copied: the same thing stays the same, and one that contains itself comes to an end.
function copy(value: unknown, copies: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  // A detached one cannot be copied, and is refused by those who store it.
  if (types.isUint8Array(value)) return value.length === 0 ? value : noted(value, value.slice(), copies);
  if (types.isSet(value) && Object.getPrototypeOf(value) === Set.prototype) {
    const elements = noted(value, new Set<unknown>(), copies);
    for (const element of value) elements.add(copy(element, copies));
    return elements;
  }
  const prototype: object | null = Object.getPrototypeOf(value);
  const isArray = Array.isArray(value);
  if (!isArray && prototype !== null && prototype !== Object.prototype) return value;
  return withProperties(value, noted(value, isArray ? [] : Object.create(prototype), copies), copies);
}

function noted<C extends object>(original: object, made: C, copies: Map<object, object>): C {
  copies.set(original, made);
  return made;
}

// Property by property, so that what an item may not have is still there to be refused.
function withProperties(original: object, made: object, copies: Map<object, object>): object {
  for (const name of Reflect.ownKeys(original)) {
    const property = Object.getOwnPropertyDescriptor(original, name) as PropertyDescriptor;
    if ('value' in property) property.value = copy(property.value, copies);
    Object.defineProperty(made, name, property);
  }
  return made;
}
