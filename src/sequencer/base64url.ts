/** Base64 for URLs and headers, without padding. */
export function toBase64url(bytes: string | Uint8Array): string {
  return Buffer.from(bytes as Uint8Array).toString('base64url');
}

/**
 * Reads what {@link toBase64url} wrote, and nothing else: Node drops characters that it does not know and bits that have no
 * byte, so that many texts would be one.
 *
 * @returns undefined for anything else.
 */
export function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
