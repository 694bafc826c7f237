import type { FencingToken } from '../../../fence/token.ts';
import type { Gone, Newer } from '../../token-source.ts';
import type { Grant, Standing } from './standing.ts';

/** The grant of a holder, if it is the one that stands. */
export function currentGrant(
  standing: Standing | undefined,
  holder: string,
  token: FencingToken,
): Grant | undefined {
  const { grant, last } = standing ?? {};
  return grant?.holder === holder && last === token ? grant : undefined;
}

/** Why a grant does not stand any more. */
export function goneOrNewer(standing: Standing | undefined, token: FencingToken): Gone | Newer {
  const { last, grant } = standing ?? {};
  if (last === undefined || last <= token) return { is: 'lost' };
  return { is: 'fenced', lastToken: last, lastHolder: grant?.holder, applied: 'no' };
}
