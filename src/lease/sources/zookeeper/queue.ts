import { Exchange } from './exchange.ts';
import type { Paths } from './paths.ts';
import { look, placeOf } from './standing.ts';

/** Of a debt: it is paid whenever it can be. */
export const never: AbortSignal = new AbortController().signal;

/**
 * Gives up the places of a holder that does not wait. A place that nobody wants keeps everybody else waiting for as long as the session
 * lasts; so what cannot be removed now is removed once there is a connection again.
 */
export async function giveUpPlaces(
  exchange: Exchange,
  paths: Paths,
  resource: string,
  holder: string,
): Promise<void> {
  const { session } = exchange;
  try {
    await removePlaces(exchange, paths, resource, holder);
  } catch {
    session.owe(() => removePlaces(new Exchange(session, never), paths, resource, holder));
  }
}

/** A node that has become a grant in the meantime is none any more, and stays: each goes only while the record is as it was read. */
async function removePlaces(
  exchange: Exchange,
  paths: Paths,
  resource: string,
  holder: string,
): Promise<void> {
  for (;;) {
    const standing = await look(exchange, paths, resource);
    const place = standing && placeOf(standing, holder);
    if (standing === undefined || place === undefined) return;
    await exchange.commit((changes) =>
      changes.check(paths.lease, standing.version).remove(`${paths.lease}/${place}`),
    );
  }
}
