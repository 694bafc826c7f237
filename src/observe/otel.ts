import { InvalidInputError } from '../fence/errors.ts';
import type { FencingEvent } from '../fence/events.ts';
import { able, checkOptions, type OptionChecks } from '../fence/options.ts';
import { type LineOptions, lineOf } from './log-line.ts';
import { checkShown } from './shown.ts';
import { type Subscription, subscribe } from './subscribe.ts';

type Attributes = Record<string, string | number | boolean>;

/** A tracer of `@opentelemetry/api`, as far as it is used. */
export interface TracerLike {
  /** Starts a span, a child of the one that is active. */
  startSpan(
    name: string,
    options: { readonly startTime: [number, number]; readonly attributes: Attributes },
  ): {
    /** Marks it: 2 is an error. */
    setStatus(status: { readonly code: 2; readonly message: string }): unknown;
    /** Ends it at a time in seconds and nanoseconds. */
    end(endTime: [number, number]): void;
  };
}

/** A meter of `@opentelemetry/api`, as far as it is used. */
export interface MeterLike {
  /** Makes a counter. */
  createCounter(
    name: string,
    options: { readonly description: string },
  ): {
    /** Counts. */
    add(value: number, attributes: Attributes): void;
  };
  /** Makes a histogram. */
  createHistogram(
    name: string,
    options: { readonly description: string; readonly unit: string },
  ): {
    /** Notes a value. */
    record(value: number, attributes: Attributes): void;
  };
}

/** What is traced and measured, and with what. */
export interface OtelOptions extends LineOptions {
  /** `trace.getTracer('dynamodb-fenced')`; without it there are no spans. */
  readonly tracer?: TracerLike;
  /** `metrics.getMeter('dynamodb-fenced')`; without it nothing is counted. */
  readonly meter?: MeterLike;
}

const otelOptions: OptionChecks<OtelOptions> = {
  resources: checkShown,
  keys: checkShown,
  tracer: able(['startSpan'], 'Pass trace.getTracer(…) of @opentelemetry/api.'),
  meter: able(['createCounter', 'createHistogram'], 'Pass metrics.getMeter(…) of @opentelemetry/api.'),
};

/**
 * Makes OpenTelemetry spans and metrics of the events, with a tracer and a meter of `@opentelemetry/api` that you hand over.
 *
 * A span is made when a call has ended, with the time at which it began, as a child of the span in which it was made; so the
 * spans of the SDK stand beside it, not below. It carries the fields of the event as `dynamodb_fenced.…`. A `wait` and a `loss` take no time, and are
 * only counted. Metrics are the counter `dynamodb_fenced.events` and the histogram `dynamodb_fenced.duration` (in seconds); their attributes are `event`, `verb`
 * and `reason` alone, never a name.
 *
 * @param options `tracer`, `meter` or both; `resources` and `keys` say how names are shown in spans, as those of `logTo`.
 * @returns what stops it. Costs no request.
 * @throws InvalidInputError where there is neither, or one that is none.
 * @example
 * otelTo({ tracer: trace.getTracer('dynamodb-fenced'), meter: metrics.getMeter('dynamodb-fenced') });
 */
export function otelTo(options: OtelOptions): Subscription {
  const { tracer, meter, ...shown } = checkOptions(options, otelOptions);
  if (tracer === undefined && meter === undefined) {
    throw new InvalidInputError(
      'options',
      'there is neither a tracer nor a meter',
      'Pass one of them, or both.',
    );
  }
  const events = meter?.createCounter('dynamodb_fenced.events', {
    description: 'What happened to leases and items.',
  });
  const durations = meter?.createHistogram('dynamodb_fenced.duration', {
    ...{ unit: 's', description: 'From a call to its answer, waiting included.' },
  });
  return subscribe((event) => {
    const bounded = boundedOf(event);
    events?.add(1, bounded);
    if (!('durationMs' in event)) return;
    durations?.record(event.durationMs / 1_000, bounded);
    if (tracer !== undefined) trace(tracer, event, shown);
  });
}

function trace(
  tracer: TracerLike,
  event: Extract<FencingEvent, { readonly durationMs: number }>,
  shown: LineOptions,
): void {
  const { message, ...fields } = lineOf(event, shown);
  const attributes = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`dynamodb_fenced.${name}`, attribute(value)]),
  );
  const startTime = timeOf(event.atMs - event.durationMs);
  const span = tracer.startSpan(`dynamodb_fenced ${event.verb}`, { startTime, attributes });
  // A refusal is an answer, and programs decide on it.
  if (event.event === 'unknown' || event.event === 'failure') span.setStatus({ code: 2, message });
  span.end(timeOf(event.atMs));
}

function attribute(value: unknown): string | number | boolean {
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}

/** Neither of resources, holders and items, nor of errors, of which anybody may make new ones. */
function boundedOf(event: FencingEvent): Attributes {
  return {
    event: event.event,
    ...('verb' in event ? { verb: event.verb } : {}),
    ...('reason' in event ? { reason: event.reason } : {}),
  };
}

// As a pair: a small number would be taken for a time since the process began.
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
