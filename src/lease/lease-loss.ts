import { publish } from '../fence/channel.ts';
import type { Clock } from '../fence/clock.ts';
import { isFencingError } from '../fence/errors.ts';
import type { LossEvent } from '../fence/events.ts';
import type { Session } from '../fence/session.ts';

/** Tells those who listen that the signal of a lease has aborted, unless its holder has released it. */
export function tellLoss(clock: Clock, { resource, token, holder, signal, fenced, released }: Session): void {
  const { reason } = signal;
  if (released || !isFencingError(reason)) return;
  const { lastToken, lastHolder } = fenced ?? {};
  publish({
    ...{ event: 'loss', atMs: clock.now(), resource, token, holder, lastToken, lastHolder },
    reason: reason.code as LossEvent['reason'],
  });
}
