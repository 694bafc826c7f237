import type { Clock } from '../../../fence/clock.ts';
import { onAbort } from '../../../fence/on-abort.ts';
import { linkedSignal } from '../../linked-signal.ts';
import type { WaitRequest } from '../../token-source.ts';
import { bytesIn, int64In } from './answers.ts';
import { holdLease, keepAlive, leaseId } from './etcd-lease.ts';
import { type Etcd, Exchange, keysIn } from './exchange.ts';
import { type Keys, placeOf } from './keys.ts';
import { KEEP_MS, PLACE_SECONDS } from './place.ts';
import { isAbsent, put, read, readLastBefore } from './txn.ts';
import { untilChange } from './watch.ts';

/** Waits in a queue, in the order of revisions, each for the one before it alone: a release wakes one waiter, and not all of them. */
export async function waitForRelease(
  etcd: Etcd,
  { resource, holder }: WaitRequest,
  signal: AbortSignal,
): Promise<void> {
  const keys = etcd.keysOf(resource);
  const lease = leaseId('place', placeOf(keys, holder), holder);
  const over = new AbortController();
  const link = linkedSignal([signal, over.signal]);
  const exchange = new Exchange(etcd.gateway, link.signal);
  try {
    await holdLease(exchange, lease, BigInt(PLACE_SECONDS));
    const kept = keepPlace(etcd.clock, exchange, lease, link.signal);
    await Promise.race([untilFirst(etcd, exchange, keys, holder, lease, link.signal), kept]);
  } finally {
    over.abort();
    link[Symbol.dispose]();
  }
}

async function untilFirst(
  { gateway }: Etcd,
  exchange: Exchange,
  keys: Keys,
  holder: string,
  lease: bigint,
  signal: AbortSignal,
): Promise<void> {
  const since = await takePlace(exchange, keys, holder, lease);
  for (;;) {
    const { responses, revision } = await exchange.read([
      readLastBefore(keys.queue, since),
      read(keys.grant),
    ]);
    const [before, grant] = responses.map((response) => keysIn(response)[0]);
    const inTheWay = before === undefined ? grant && keys.grant : bytesIn(before, 'key');
    if (inTheWay === undefined) return;
    await untilChange(gateway, inTheWay, revision + 1n, ({ value }) => value === undefined, signal);
  }
}

/** @returns the revision of the place, which says who comes first. */
async function takePlace(exchange: Exchange, keys: Keys, holder: string, lease: bigint): Promise<bigint> {
  const place = placeOf(keys, holder);
  const answer = await exchange.txn({
    compare: [isAbsent(place)],
    success: [put(place, '', lease)],
    failure: [read(place)],
  });
  if (answer.succeeded) return answer.revision;
  const [found] = keysIn(answer.responses[0]);
  return found === undefined ? answer.revision : int64In(found, 'create_revision');
}

/** Rejects where the place is lost, and where the signal aborts. */
function keepPlace(clock: Clock, exchange: Exchange, lease: bigint, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    let cancel = () => {};
    const keep = async () => {
      if ((await keepAlive(exchange, lease)) === 0n) throw new Error('the place in the queue is lost');
    };
    const again = () => {
      if (signal.aborted) return reject(signal.reason);
      cancel = clock.after(KEEP_MS, () => void keep().then(again, reject), { unref: true });
    };
    onAbort(signal, () => {
      cancel();
      reject(signal.reason);
    });
    again();
  });
}
