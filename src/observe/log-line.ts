import type { FencingEvent } from '../fence/events.ts';
import { type Shown, show } from './shown.ts';

/** An event as a log has it: the fields of the event, without those that are undefined, and a message. */
export interface LogLine {
  /** In a few words, without any name. */
  readonly message: string;
  readonly event: FencingEvent['event'];
  readonly [field: string]: unknown;
}

/** What of an event may be read by whoever reads the log. */
export interface LineOptions {
  /**
   * How the names of resources are shown. Default as the keys are, or `plain`: a name that is hashed here and stands there as it is
   * would be no secret.
   */
  readonly resources?: Shown;
  /** How the keys of items are shown: `plain` as an object, else as one text. Default as the names of resources are, or `plain`. */
  readonly keys?: Shown;
}

/** What a reader looks for first, in that order. */
const firstFields = [
  'event',
  'verb',
  'reason',
  'code',
  'resource',
  'token',
  'holder',
  'lastToken',
  'lastHolder',
  'applied',
];

/** Makes a line of an event. Pure. */
export function lineOf(event: FencingEvent, shown: LineOptions): LogLine {
  const { resources = shown.keys ?? 'plain', keys = shown.resources ?? 'plain' } = shown;
  const fields: Record<string, unknown> = { ...event };
  for (const name of ['resource', 'sealedResource']) {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = show(value, resources);
  }
  if (fields.key !== undefined && keys !== 'plain') fields.key = show(JSON.stringify(fields.key), keys);
  if (typeof fields.durationMs === 'number')
    fields.durationMs = Math.round(fields.durationMs * 1_000) / 1_000;
  const known = [...firstFields, ...Object.keys(fields)].filter((name) => fields[name] !== undefined);
  const inOrder = Object.fromEntries(known.map((name) => [name, fields[name]]));
  return { message: messageOf(event), ...inOrder, event: event.event };
}

/** As `refusal of put: fenced`. */
function messageOf(event: FencingEvent): string {
  const verb = 'verb' in event && event.verb !== event.event ? ` of ${event.verb}` : '';
  return `${event.event}${verb}${why(event)}`;
}

function why(event: FencingEvent): string {
  if ('reason' in event) return `: ${event.reason}`;
  return event.event === 'failure' ? `: ${event.code}` : '';
}
