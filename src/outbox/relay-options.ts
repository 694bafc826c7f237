import { checkSignal } from '../fence/abort-signal.ts';
import { checkDuration } from '../fence/duration.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { callable, checkOptions, flag, type OptionChecks } from '../fence/options.ts';
import type { MessageId } from './message-key.ts';

/** A message on its way to whoever is meant. */
export interface Delivery<M> extends MessageId {
  /** The idempotency key, `resource:token:seq`: hand it to the receiver, who may be told twice. */
  readonly key: string;
  readonly message: M;
}

/** Delivers one message; it is sent once the promise resolves. Its signal aborts when the relay ends or loses its lease. */
export type Handler<M> = (delivery: Delivery<M>, context: { readonly signal: AbortSignal }) => unknown;

/** How long a relay runs, and how. */
export interface RelayOptions<M> {
  /** Ends the relay: what is with the handler then is delivered again later. */
  readonly signal?: AbortSignal;
  /** How long it runs at most, in ms. Default 60,000. */
  readonly forMs?: number;
  /** How long it waits after a look that delivered nothing, in ms. Default 1,000. */
  readonly pollMs?: number;
  /** Whether it ends as soon as it finds nothing that is not sent. Default false. */
  readonly untilEmpty?: boolean;
  /**
   * Told of what the handler threw, or of a fault of the storage; the resource is tried again with the next look.
   * Default: the relay ends, and throws it.
   */
  readonly onError?: (error: unknown, delivery: Delivery<M> | undefined) => void;
}

/** What a relay did. */
export interface Relayed {
  /** How many messages were delivered and marked as sent. */
  readonly delivered: number;
  /** How many deliveries failed: they are tried again. */
  readonly failed: number;
  /** How often a message was delivered and the mark refused, because a newer relay has taken over: it delivers again. */
  readonly refused: number;
}

const relayOptions: OptionChecks<RelayOptions<unknown>> = {
  signal: checkSignal,
  forMs: checkDuration,
  pollMs: checkDuration,
  untilEmpty: flag,
  onError: callable,
};

export function checkRelayOptions<M>(handler: Handler<M>, options: RelayOptions<M> | undefined) {
  if (typeof handler !== 'function') {
    throw new InvalidInputError('handler', 'it is no function', 'Pass one that delivers a message.');
  }
  const { forMs = 60_000, pollMs = 1_000, untilEmpty = false, ...more } = checkOptions(options, relayOptions);
  return { forMs, pollMs, untilEmpty, signal: more.signal, onError: more.onError };
}
