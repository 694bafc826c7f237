import { fromHeaderText, toHeaderText } from './header-text.ts';

/**
 * The entity tag of a version: strong, because no version comes back. An item that was never fenced, or whose stamp is damaged, can
 * change and keep what stands for its version: its tag is weak.
 *
 * @param version as results and reads give it.
 * @returns as `"42.1.fn-7f3a/8c1d0e"`.
 */
export function formatETag(version: string): string {
  return `${isWeak(version) ? 'W/' : ''}"${toHeaderText(version)}"`;
}

/** The versions that an `If-Match` field names; `*` for any; undefined where it is no such field. */
export function parseIfMatch(field: string): '*' | readonly string[] | undefined {
  if (field.trim() === '*') return '*';
  const versions: string[] = [];
  let count = 0;
  for (const { tag, weak } of elementsOf(field) ?? []) {
    if (tag === undefined) continue;
    count++;
    const version = fromHeaderText(tag);
    // If-Match compares strongly (RFC 9110 §13.1.1): a weak tag matches nothing, nor does one that we never gave.
    if (weak === undefined && version && !isWeak(version)) versions.push(version);
  }
  return count > 0 ? versions : undefined;
}

interface Element {
  readonly tag?: string;
  readonly weak?: string;
}

/** The elements of a list; undefined where it is none. Looks at each character a few times, however long the field is. */
function elementsOf(field: string): readonly Element[] | undefined {
  const found: Element[] = [];
  element.lastIndex = 0;
  for (;;) {
    const match = element.exec(field);
    if (match === null) return undefined;
    found.push(match.groups ?? {});
    if (!match[0].endsWith(',')) return found;
  }
}

// Tags in a list, in which elements may be empty (RFC 9110 §5.6.1.2).
const element = /[ \t]*(?:(?<weak>W\/)?"(?<tag>[\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

function isWeak(version: string): boolean {
  return version === 'unfenced' || version === 'corrupt';
}
