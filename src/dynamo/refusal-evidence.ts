import { CorruptFenceError, UnavailableError, UnfencedItemError } from '../fence/errors.ts';
import type { Applied } from '../fence/result.ts';
import type { Stamp } from '../fence/session.ts';
import type { Item } from './attributes.ts';
import type { Wire } from './client.ts';
import type { Settling } from './logical-request.ts';
import { readItem } from './read.ts';
import { beneath } from './unavailable.ts';
import type { Seen } from './verdict.ts';

/** The refusal of a fence, beside its reason. */
export function stampRefusal(
  stamp: Pick<Stamp, 'resource' | 'token' | 'holder'>,
  seen: Seen,
  applied: Applied,
) {
  const { resource, token, holder } = stamp;
  return { ok: false, resource, token, holder, ...seen, applied } as const;
}

/**
 * Reads what refused a request, where the refusal does not show it.
 *
 * @param name what was refused, in words, for errors.
 * @throws OutcomeUnknownError where it cannot be read and a copy is undecided; UnavailableError where none is;
 * the reason of the caller's signal.
 */
export async function lookAt(
  wire: Wire,
  place: { readonly TableName: string | undefined; readonly Key: Item | undefined },
  name: string,
  { deadline, copies, unknown }: Settling,
): Promise<Item | undefined> {
  try {
    return await readItem(wire, place, deadline);
  } catch (error) {
    const cause = beneath(error);
    if (copies.undecided > 0) throw unknown(cause);
    if (deadline.abortedByCaller) throw deadline.signal.reason;
    throw new UnavailableError(`${name} was refused, and the reason could not be read.`, {
      cause,
      advice: 'Call again: it is judged anew, on the item as it is then.',
    });
  }
}

/** The error for an item whose fence cannot be compared with ours. */
export function incomparable(is: 'corrupt' | 'unfenced', item: string, { copies, unknown }: Settling): Error {
  const error =
    is === 'corrupt'
      ? new CorruptFenceError(
          `The stored fence of ${item} is no token that could have been issued, or its version is damaged.`,
        )
      : new UnfencedItemError(item);
  return copies.undecided > 0 ? unknown(error) : error;
}
