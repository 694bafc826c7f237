import { fromBase64url, toBase64url } from './base64url.ts';

// Named in the text, so that another form can come later and be told apart.
const FORM = 'v1';

// More than the longest names make. What is longer is refused before it costs anything.
const LONGEST = 6_144;

const shape = /^v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** `v1.payload.signature`. It has no colon, so it is never taken for the plain text of a fence, nor that for it. */
export function join(payload: string, signature: Uint8Array): string {
  return `${FORM}.${payload}.${toBase64url(signature)}`;
}

/** Takes apart what {@link join} wrote. */
export function split(text: unknown): { readonly payload: string; readonly signature: Buffer } | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined;
  const [, payload, encoded] = shape.exec(text) ?? [];
  if (payload === undefined || encoded === undefined) return undefined;
  const signature = fromBase64url(encoded);
  return signature === undefined ? undefined : { payload, signature };
}
