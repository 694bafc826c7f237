import type { FencingToken } from '../../../fence/token.ts';
import type { Gone, Newer } from '../../token-source.ts';
import { numberOf, type Standing, tokenOf } from './standing.ts';

/** Whether a grant is the one that stands. */
export function isCurrent(standing: Standing, holder: string, token: FencingToken): boolean {
  return standing.holder === holder && numberOf(standing) === BigInt(token);
}

/** Why a grant does not stand any more. */
export function goneOrNewer(standing: Standing, resource: string, token: FencingToken): Gone | Newer {
  if (numberOf(standing) <= BigInt(token)) return { is: 'lost' };
  return { is: 'fenced', lastToken: tokenOf(standing, resource), lastHolder: standing.holder, applied: 'no' };
}
