import type { GetItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Deadline } from '../fence/deadline.ts';
import type { Item } from './attributes.ts';
import type { Wire } from './client.ts';
import { Copies, deliver, type Persistence } from './deliver.ts';
import type { Output, Request } from './send.ts';
import { unavailable, waitEnded } from './unavailable.ts';

/**
 * Sends a request that changes nothing, again where that may help.
 *
 * @throws UnavailableError where no answer came, with the SDK's error of the last attempt as its cause; the
 * service's error where it will never accept the request; the reason of the caller's signal.
 */
export async function read(
  wire: Wire,
  request: Request,
  deadline: Deadline,
  persistence?: Persistence,
): Promise<Output> {
  const copies = new Copies(wire.random.nonce());
  const delivery = await deliver(wire, request, deadline, copies, persistence);
  if (delivery.is === 'done') return delivery.output;
  if (deadline.over) throw waitEnded(request, deadline);
  throw unavailable(request, delivery.is === 'contention' ? delivery.obstacle : 'unanswered', delivery.error);
}

/** Reads one item with strong consistency: fences must never be judged on an old copy. 1 RCU per 4 KB. */
export async function readItem(
  wire: Wire,
  input: Pick<GetItemCommandInput, 'TableName' | 'Key'>,
  deadline: Deadline,
): Promise<Item | undefined> {
  const { Item } = await read(wire, { op: 'GetItem', input: { ...input, ConsistentRead: true } }, deadline);
  return Item;
}
