import { abortable } from '../../../fence/abortable.ts';
import { isProofRefused } from './etcd-error.ts';
import { NotSent } from './send.ts';

/**
 * Gives the text of the header `Authorization`, or an empty one.
 *
 * @param refused what it gave before, where etcd does not take that any more.
 */
export type Authorization = (refused?: string) => string | Promise<string>;

/** The header that proves who asks. */
export interface Proof {
  readonly authorization?: string;
}

/**
 * Asks with what proves who asks, and once more with something new where that is refused: tokens of etcd expire, may be forgotten by a
 * member that restarts, and are void once any user or role has changed. A refused request has changed nothing.
 */
export async function proven<T>(
  authorization: Authorization | undefined,
  signal: AbortSignal,
  ask: (proof: Proof) => Promise<T>,
): Promise<T> {
  if (authorization === undefined) return ask({});
  const first = await given(() => authorization(), signal);
  try {
    return await ask(headerOf(first));
  } catch (error) {
    if (!isProofRefused(error)) throw error;
  }
  return ask(headerOf(await given(() => authorization(first), signal)));
}

async function given(authorize: () => string | Promise<string>, signal: AbortSignal): Promise<string> {
  try {
    return await abortable(Promise.resolve().then(authorize), signal);
  } catch (cause) {
    throw new NotSent('there is nothing that proves to etcd who asks: authorization has failed', { cause });
  }
}

function headerOf(proof: string): Proof {
  return proof === '' ? {} : { authorization: proof };
}
