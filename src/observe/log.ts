import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { FencingEvent } from '../fence/events.ts';
import { checkOptions, type OptionChecks } from '../fence/options.ts';
import { type LogLevel, logLevelOf } from './log-level.ts';
import { type LineOptions, type LogLine, lineOf } from './log-line.ts';
import { checkShown } from './shown.ts';
import { type Subscription, subscribe } from './subscribe.ts';

/** A logger as pino and Powertools for AWS Lambda have it: each level takes one object, with the message in it. */
export interface LoggerLike {
  /** Writes one line. */
  debug(line: LogLine): unknown;
  /** Writes one line. */
  info(line: LogLine): unknown;
  /** Writes one line. */
  warn(line: LogLine): unknown;
  /** Writes one line. */
  error(line: LogLine): unknown;
}

/** What is logged, and how. */
export interface LogOptions extends LineOptions {
  /** How much an event matters; undefined leaves it out. Default {@link logLevelOf}. */
  readonly level?: (event: FencingEvent) => LogLevel | undefined;
}

const logOptions: OptionChecks<LogOptions> = {
  resources: checkShown,
  keys: checkShown,
  level(level: unknown, path: string) {
    if (typeof level === 'function') return;
    throw new InvalidInputError(path, `${describe(level)} cannot be called`, 'Pass a function of the event.');
  },
};

const levels = ['debug', 'info', 'warn', 'error'] as const;

/**
 * Logs every event as one line: what has happened, to which resource, under which token and by whom, whom the storage saw
 * instead, and what it took. No line holds the content of an item.
 *
 * @param logger takes the lines: pino, the Logger of Powertools, or anything with their four levels. What it throws breaks nothing.
 * @param options `level`; `resources` and `keys`, each `plain`, `hashed`, `omitted` or a function: one that is left out is shown as the
 * other, and `plain` is the default of both.
 * @returns what stops it. Costs no request.
 * @throws InvalidInputError where the logger has no such levels, or an option cannot work.
 * @example
 * logTo(pino());
 * logTo(new Logger({ serviceName: 'bank' }), { keys: 'hashed' });
 */
export function logTo(logger: LoggerLike, options?: LogOptions): Subscription {
  if (levels.some((level) => typeof logger?.[level] !== 'function')) {
    throw new InvalidInputError(
      'logger',
      `${describe(logger)} does not log`,
      'Pass pino(), the Logger of Powertools, or an object with debug, info, warn and error.',
    );
  }
  const { level: levelOf = logLevelOf, ...shown } = checkOptions(options, logOptions);
  return subscribe((event) => {
    const level = levelOf(event);
    return level === undefined ? undefined : logger[level](lineOf(event, shown));
  });
}
