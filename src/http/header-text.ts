// Visible ASCII, without what separates (, and space), quotes (" and \) or begins an escape (%).
const other = /[^!#-$&-+\--[\]-~]/gu;

/**
 * Text as a part of a header field. Fields carry ASCII safely and nothing else (RFC 9110 §5.5), so the rest is written as
 * its UTF-8 bytes: `%C3%A9`. `account/a1:42` stays as it is.
 */
export function toHeaderText(text: string): string {
  return text.replace(other, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

/** Reads what {@link toHeaderText} wrote. Undefined for anything else: there is one form for each text. */
export function fromHeaderText(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return toHeaderText(decoded) === text ? decoded : undefined;
  } catch {
    return undefined;
  }
}
