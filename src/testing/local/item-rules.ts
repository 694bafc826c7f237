import { validationError } from './api-error.ts';
import type { AttributeValue, Dynalite, Item } from './dynalite.ts';

/** The most that an item may hold, in bytes, names included. */
const largestItemBytes = 400 * 1024;
const deepestNesting = 32;

/** The size of an item as AWS counts it: text in UTF-8. */
export function itemBytes(dynalite: Dynalite, item: Item): number {
  // dynalite counts UTF-16 units. Type tags, numbers and base64 are ASCII, so what the JSON has in bytes
  // beyond its length is exactly what is missing.
  const json = JSON.stringify(item);
  return dynalite.db.itemSize(item) + Buffer.byteLength(json) - json.length;
}

/** Refuses an item that is too large to be put. */
export function checkPutSize(dynalite: Dynalite, item: Item): void {
  if (itemBytes(dynalite, item) > largestItemBytes) {
    throw validationError('Item size has exceeded the maximum allowed size');
  }
}

/** Refuses an update whose outcome may not be stored: dynalite checks its operands only. */
export function checkUpdated(dynalite: Dynalite, item: Item): void {
  if (itemBytes(dynalite, item) > largestItemBytes) {
    throw validationError('Item size to update has exceeded the maximum allowed size');
  }
  for (const value of Object.values(item)) {
    const problem = dynalite.validations.validateAttributeValue(value);
    if (problem !== undefined) throw validationError(problem);
  }
}

/** Refuses an item that nests deeper than 32 levels. */
export function checkNesting(item: Item): void {
  if (Object.values(item).every((value) => depth(value) <= deepestNesting)) return;
  throw validationError(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );
}

// The value itself is the first level: a text in 31 lists is at the 32nd.
function depth(value: AttributeValue): number {
  const members = Object.values((value.M ?? value.L ?? {}) as Item);
  return 1 + Math.max(0, ...members.map(depth));
}
