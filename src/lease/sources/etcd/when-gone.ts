import type { Gone, GrantInQuestion, Newer } from '../../token-source.ts';
import { type Etcd, Exchange } from './exchange.ts';
import { readStanding, standingOf } from './standing.ts';
import { goneOrNewer, isCurrent } from './verdict.ts';
import { untilChange } from './watch.ts';

/** Watches the key of a grant. */
export async function whenGone(
  { gateway, keysOf }: Etcd,
  { resource, holder, token }: GrantInQuestion,
  signal: AbortSignal,
): Promise<Gone | Newer> {
  const keys = keysOf(resource);
  const exchange = new Exchange(gateway, signal);
  for (;;) {
    const standing = standingOf(await exchange.read(readStanding(keys)), keys);
    if (!isCurrent(standing, holder, token)) return goneOrNewer(standing, resource, token);
    // A takeover leaves the key, and changes its holder.
    await untilChange(gateway, keys.grant, standing.revision + 1n, ({ value }) => value !== holder, signal);
  }
}
