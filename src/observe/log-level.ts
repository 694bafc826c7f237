import type { FencingEvent } from '../fence/events.ts';

/** How much a line matters, as loggers name it. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * How much an event matters, unless you say otherwise.
 *
 * @returns `error` for what needs somebody: an unknown outcome, a failure, a reused token. `warn` for what somebody may have to know of: a loss,
 * a refusal by the fence, contention, a rejected sequencer. `info` for all else, the refusals that programs decide on included.
 */
export function logLevelOf(event: FencingEvent): LogLevel {
  switch (event.event) {
    case 'unknown':
    case 'failure':
      return 'error';
    case 'loss':
    case 'rejected':
      return 'warn';
    case 'refusal':
      return levelOfRefusal[event.reason];
    default:
      return 'info';
  }
}

const levelOfRefusal: Readonly<Record<Extract<FencingEvent, { event: 'refusal' }>['reason'], LogLevel>> = {
  'token-reused': 'error',
  fenced: 'warn',
  lost: 'warn',
  superseded: 'warn',
  contention: 'warn',
  held: 'info',
  'not-found': 'info',
  exists: 'info',
  version: 'info',
  condition: 'info',
};
