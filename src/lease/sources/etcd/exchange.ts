import type { Clock } from '../../../fence/clock.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { isFencingError } from '../../../fence/errors.ts';
import type { Applied } from '../../../fence/result.ts';
import type { Undecided } from '../../token-source.ts';
import { tooLate } from '../too-late.ts';
import { flagIn, int64In, objectIn, objectsIn } from './answers.ts';
import { changedNothing, EtcdError, isForGood } from './etcd-error.ts';
import type { Gateway } from './gateway.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import type { Keys } from './keys.ts';
import { neverLeft } from './send.ts';
import type { Txn } from './txn.ts';

/** Where leases are, and who is asked. */
export interface Etcd {
  readonly gateway: Gateway;
  readonly keysOf: (resource: string) => Keys;
  readonly clock: Clock;
}

/** What came of a transaction. */
export interface TxnAnswer {
  readonly succeeded: boolean;
  /** Of the cluster: that of the transaction itself where it wrote something. */
  readonly revision: bigint;
  /** What each operation answered, in their order. */
  readonly responses: readonly JsonObject[];
}

/** The requests of one step, and whether any of them may have changed what counts. */
export class Exchange {
  readonly #gateway: Gateway;
  readonly #signal: AbortSignal;
  #applied: Applied = 'no';

  constructor(gateway: Gateway, signal: AbortSignal) {
    this.#gateway = gateway;
    this.#signal = signal;
  }

  get applied(): Applied {
    return this.#applied;
  }

  /** Asks for what grants nothing by itself: an etcd lease, a read. */
  ask(path: string, body: JsonObject): Promise<JsonObject> {
    return this.#gateway.call(path, body, this.#signal, { repeatable: true });
  }

  /** Asks for what may grant or end something. */
  async change(path: string, body: JsonObject): Promise<JsonObject> {
    const before = this.#applied;
    this.#applied = 'unknown';
    try {
      return await this.#gateway.call(path, body, this.#signal, { repeatable: false });
    } catch (error) {
      if (neverLeft(error) || changedNothing(error)) this.#applied = before;
      throw error;
    }
  }

  async read(operations: readonly JsonObject[]): Promise<TxnAnswer> {
    return txnAnswer(await this.ask('kv/txn', { success: operations }), operations.length);
  }

  async txn({ compare, success, failure }: Txn): Promise<TxnAnswer> {
    const before = this.#applied;
    const answer = await this.change('kv/txn', { compare, success, failure });
    const expected = flagIn(answer, 'succeeded') ? success.length : failure.length;
    const read = txnAnswer(answer, expected);
    if (!read.succeeded) this.#applied = before;
    return read;
  }
}

function txnAnswer(answer: JsonObject, expected: number): TxnAnswer {
  const responses = objectsIn(answer, 'responses');
  if (responses.length !== expected) {
    throw new EtcdError(`etcd answered ${responses.length} of ${expected} operations`);
  }
  return {
    succeeded: flagIn(answer, 'succeeded'),
    revision: int64In(objectIn(answer, 'header'), 'revision'),
    responses,
  };
}

/** Takes a step, and turns whatever leaves it undecided into an answer, because the manager decides how long to go on. */
export async function settle<Answer>(
  { gateway }: Etcd,
  deadline: Deadline,
  step: (exchange: Exchange) => Promise<Answer>,
): Promise<Answer | Undecided> {
  if (deadline.over) return tooLate(deadline);
  const exchange = new Exchange(gateway, deadline.signal);
  try {
    return await step(exchange);
  } catch (error) {
    if (isFencingError(error) || isForGood(error)) throw error;
    return { is: 'undecided', applied: exchange.applied, error };
  }
}

/** The keys that a read has found. */
export function keysIn(response: JsonObject | undefined): readonly JsonObject[] {
  if (!isJsonObject(response)) throw new EtcdError('etcd answered without what was read');
  return objectsIn(objectIn(response, 'response_range'), 'kvs');
}
