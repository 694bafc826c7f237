import type { Clock } from '../../../fence/clock.ts';
import { DeadlineReached } from '../../../fence/deadline.ts';
import { onAbort } from '../../../fence/on-abort.ts';
import { within } from '../../../fence/within.ts';
import { linkedSignal } from '../../linked-signal.ts';
import type { WaitRequest } from '../../token-source.ts';
import { bytesIn, int64In } from './answers.ts';
import { holdLease, keepAlive, leaseId } from './etcd-lease.ts';
import { type Etcd, Exchange, keysIn } from './exchange.ts';
import { type Keys, placeOf } from './keys.ts';
import { KEEP_MS, PLACE_SECONDS } from './place.ts';
import { isAbsent, put, read, readLastBefore } from './txn.ts';
import { untilChange } from './watch.ts';

/** Does something for a waiter, for as long as its place outlives its silence at most: a connection may be dead without a word. */
type Bounded = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Waits in a queue, in the order of revisions, each for the one before it alone: a release wakes one waiter, and not all of them. */
export async function waitForRelease(
  etcd: Etcd,
  { resource, holder }: WaitRequest,
  signal: AbortSignal,
): Promise<void> {
  const { clock, gateway } = etcd;
  const keys = etcd.keysOf(resource);
  const lease = leaseId('place', placeOf(keys, holder), holder);
  const over = new AbortController();
  const link = linkedSignal([signal, over.signal]);
  const bounds = { timeoutMs: PLACE_SECONDS * 1000, signal: link.signal };
  const bounded: Bounded = (work) => within(clock, bounds, (deadline) => work(deadline.signal));
  const ask = <T>(work: (exchange: Exchange) => Promise<T>) =>
    bounded((bound) => work(new Exchange(gateway, bound)));
  try {
    await ask((exchange) => holdLease(exchange, lease, BigInt(PLACE_SECONDS)));
    const keep = async () => {
      const seconds = await ask((exchange) => keepAlive(exchange, lease));
      if (seconds === 0n) throw new Error('the place in the queue is lost');
    };
    const since = ask((exchange) => takePlace(exchange, keys, holder, lease));
    const first = since.then((place) => untilFirst(etcd, keys, place, bounded));
    await Promise.race([first, againAndAgain(clock, keep, link.signal)]);
  } finally {
    over.abort();
    link[Symbol.dispose]();
  }
}

/** @param place the revision of it. */
async function untilFirst({ gateway }: Etcd, keys: Keys, place: bigint, bounded: Bounded): Promise<void> {
  for (;;) {
    const { responses, revision } = await bounded((signal) =>
      new Exchange(gateway, signal).read([readLastBefore(keys.queue, place), read(keys.grant)]),
    );
    const [before, grant] = responses.map((response) => keysIn(response)[0]);
    const inTheWay = before === undefined ? grant && keys.grant : bytesIn(before, 'key');
    if (inTheWay === undefined) return;
    const isGone = ({ value }: { readonly value: string | undefined }) => value === undefined;
    await bounded((signal) => untilChange(gateway, inTheWay, revision + 1n, isGone, signal)).catch(lookAgain);
  }
}

/** What a watch that tells nothing has to tell is found out by looking. */
function lookAgain(error: unknown): void {
  if (!(error instanceof DeadlineReached)) throw error;
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

/** Keeps the place. Rejects where that fails, and where the signal aborts. */
function againAndAgain(clock: Clock, keep: () => Promise<void>, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    let cancel = () => {};
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
