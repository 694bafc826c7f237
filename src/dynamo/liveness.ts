import type { HiddenAttributes } from './attributes.ts';
import type { Placeholders } from './placeholders.ts';

/**
 * Users must see this item: it has content, or it exists and was never fenced. «Exists» has to be said:
 * an absent item has no fence either, and an update of it would create a ghost.
 *
 * @param keyAttribute any attribute of the primary key: every item has all of them.
 */
export function live(
  keyAttribute: string,
  { fence, version }: HiddenAttributes,
  placeholders: Placeholders,
): string {
  const [pk, f, v] = [keyAttribute, fence, version].map((name) => placeholders.name(name));
  return `(attribute_exists(${v}) OR (attribute_exists(${pk}) AND attribute_not_exists(${f})))`;
}

/** Users must see no item: there is none, or only a tombstone, which has a fence and no content. */
export function absent(
  keyAttribute: string,
  { fence, version }: HiddenAttributes,
  placeholders: Placeholders,
): string {
  const [pk, f, v] = [keyAttribute, fence, version].map((name) => placeholders.name(name));
  return `(attribute_not_exists(${pk}) OR (attribute_exists(${f}) AND attribute_not_exists(${v})))`;
}

/** The item exists and was never fenced. */
export function unfenced(
  keyAttribute: string,
  { fence }: HiddenAttributes,
  placeholders: Placeholders,
): string {
  return `(attribute_exists(${placeholders.name(keyAttribute)}) AND attribute_not_exists(${placeholders.name(fence)}))`;
}

/**
 * The filter that keeps tombstones out of queries and scans. It says the same as {@link live}, without the
 * key, which a filter may not name: whatever a query meets exists.
 */
export function liveFilter({ fence, version }: HiddenAttributes, placeholders: Placeholders): string {
  return `(attribute_exists(${placeholders.name(version)}) OR attribute_not_exists(${placeholders.name(fence)}))`;
}
