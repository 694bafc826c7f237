import type { Fault } from './fault.ts';
import { connectionRefused, connectionReset } from './wire-errors.ts';

/**
 * The connection breaks before the request reaches the server. The caller sees what it also sees of a lost
 * answer (`TimeoutError`, ECONNRESET), and cannot tell the two apart.
 */
export function reset(): Fault {
  return {
    name: 'reset',
    async inject() {
      throw connectionReset();
    },
  };
}

/** Nobody listens (ECONNREFUSED): the one failure that proves that the request did not arrive. */
export function refuse(): Fault {
  return {
    name: 'refuse',
    async inject({ http }) {
      throw connectionRefused(http.hostname, http.port ?? 443);
    },
  };
}

/** The request is lost and nobody says so: no answer ever comes. Only the caller's signal ends the call. */
export function hang(): Fault {
  return { name: 'hang', inject: () => new Promise(() => {}) };
}
