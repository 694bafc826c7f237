import { checkResource } from '../fence/fence.ts';
import { checkName } from '../fence/name.ts';
import { fencingToken } from '../fence/token.ts';
import { fromBase64url, toBase64url } from './base64url.ts';
import type { SequencerClaims } from './claims.ts';

/** The claims as text. A list, so that there is one text for the same claims. */
export function toPayload({ resource, token, holder, expiresAtMs }: SequencerClaims): string {
  return toBase64url(JSON.stringify([resource, token, holder, expiresAtMs]));
}

/**
 * Reads what {@link toPayload} wrote. The signature is checked before, so anything else was signed by another program that
 * has our key: it is no sequencer all the same.
 */
export function fromPayload(payload: string): SequencerClaims | undefined {
  const text = fromBase64url(payload)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const [resource, token, holder, expiresAtMs, ...rest] = JSON.parse(text);
    const claims = {
      resource: checkResource(resource),
      token: fencingToken(token),
      holder: checkName(holder, 'holder'),
      expiresAtMs,
    };
    return rest.length === 0 && Number.isFinite(expiresAtMs) ? claims : undefined;
  } catch {
    return undefined;
  }
}
