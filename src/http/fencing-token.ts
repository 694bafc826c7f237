import { type Fence, formatFence, parseFence } from '../fence/fence.ts';
import { fromHeaderText, toHeaderText } from './header-text.ts';

/** The request header that a fence comes in. Node and Fetch do not mind the case. */
export const FENCING_TOKEN = 'Fencing-Token';

/**
 * A fence as the value of the header `Fencing-Token`: `account/a1:42`.
 *
 * @param fence a lease or a bare fence. It says nothing about who holds it.
 * @returns ASCII: other characters of the resource, and `,`, `"`, `\`, `%` and spaces, are written as `%C3%A9`.
 * @throws InvalidInputError where it is no fence.
 */
export function formatFencingToken(fence: Pick<Fence, 'resource' | 'token'>): string {
  return toHeaderText(formatFence(fence));
}

/** Reads what {@link formatFencingToken} wrote. Undefined for anything else, two of them in one field included. */
export function parseFencingToken(field: string): Fence | undefined {
  const text = fromHeaderText(field);
  if (text === undefined) return undefined;
  try {
    return parseFence(text);
  } catch {
    return undefined;
  }
}
