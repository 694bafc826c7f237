import type { LogEvent } from './messages.ts';

/** One event as a line of a log, in logfmt. */
export function logLine({ atMs, event, resource, token, holder, details }: LogEvent): string {
  const time = new Date(atMs).toISOString().slice(11, 23);
  const fields = Object.entries({ event, resource, token, holder, ...details });
  const known = fields.filter(([, value]) => value !== undefined);
  return [time, ...known.map(([name, value]) => `${name}=${value}`)].join(' ');
}
