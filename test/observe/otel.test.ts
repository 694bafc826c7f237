import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { publish } from '../../src/fence/channel.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { otelTo } from '../../src/observe/index.ts';
import { playIncident, REQUEST_MS, startMs } from './incident.ts';

interface Point {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

/** Real providers that keep what they are told. */
function opentelemetry() {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 1e9 });
  const meters = new MeterProvider({ readers: [reader] });
  return {
    tracer: provider.getTracer('dynamodb-fenced'),
    meter: meters.getMeter('dynamodb-fenced'),
    spans: () => spans.getFinishedSpans(),
    async points(name: string): Promise<readonly Point[]> {
      await meters.forceFlush();
      const all =
        metrics
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return all
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap(({ dataPoints }): readonly Point[] => dataPoints);
    },
    shutdown: () => Promise.all([provider.shutdown(), meters.shutdown()]),
  };
}

it('makes real spans and metrics of the incident', async () => {
  const told = opentelemetry();
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  try {
    using _ = otelTo({ tracer: told.tracer, meter: told.meter });
    const parent = told.tracer.startSpan('the whole');
    await context.with(trace.setSpan(context.active(), parent), playIncident);
    const spans = told.spans();
    expect(spans.map(({ name }) => name.replace('dynamodb_fenced ', ''))).toEqual([
      ...['acquire', 'claim', 'renew', 'acquire', 'claim', 'renew', 'put', 'release'],
      ...['put', 'release', 'acquire', 'claim', 'renew', 'put', 'release'],
    ]);
    const [first] = spans;
    expect(first?.startTime).toEqual([startMs / 1_000, 0]);
    expect(first?.endTime).toEqual([startMs / 1_000, REQUEST_MS * 1e6]);
    expect(new Set(spans.map((span) => span.parentSpanContext?.spanId))).toEqual(
      new Set([parent.spanContext().spanId]),
    );
    expect(spans[8]?.attributes).toMatchObject({
      ...{ 'dynamodb_fenced.event': 'refusal', 'dynamodb_fenced.reason': 'fenced' },
      ...{ 'dynamodb_fenced.resource': 'account/a1', 'dynamodb_fenced.key': '{"id":"a1"}' },
      'dynamodb_fenced.lastToken': spans[3]?.attributes['dynamodb_fenced.token'],
    });
    expect(spans[8]?.status.code).toBe(SpanStatusCode.UNSET);

    const events = await told.points('dynamodb_fenced.events');
    const count = (attributes: object) =>
      events.find((point) => JSON.stringify(point.attributes) === JSON.stringify(attributes))?.value;
    expect(count({ event: 'acquire', verb: 'acquire' })).toBe(3);
    expect(count({ event: 'write', verb: 'put' })).toBe(2);
    expect(count({ event: 'refusal', verb: 'put', reason: 'fenced' })).toBe(1);
    expect(count({ event: 'loss', reason: 'lease-expired' })).toBe(1);
    expect(JSON.stringify(events)).not.toMatch(/account|A\/|B\//);
    const durations = await told.points('dynamodb_fenced.duration');
    const put = durations.find(({ attributes }) => attributes.event === 'write');
    expect(put?.value).toMatchObject({ count: 2, sum: (2 * REQUEST_MS) / 1_000 });
  } finally {
    context.disable();
    await told.shutdown();
  }
});

it('marks as errors what is one, and shows names as you say', async () => {
  const told = opentelemetry();
  using _ = otelTo({ tracer: told.tracer, resources: 'hashed', keys: 'omitted' });
  publish({
    ...{ event: 'unknown', verb: 'put', cause: 'TimeoutError', atMs: 10, durationMs: 5, attempts: 2 },
    ...{ requestId: undefined, resource: 'account/ann', token: fencingToken(42), holder: 'A/1' },
    ...{ table: 'accounts', key: { id: 'ann' }, step: undefined },
  });
  const [span] = told.spans();
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'unknown of put' });
  expect(JSON.stringify(span?.attributes)).not.toContain('ann');
  await told.shutdown();
});

it.each<[string, unknown]>([
  ['neither a tracer nor a meter', {}],
  ['neither a tracer nor a meter', undefined],
  ['tracer: it has no startSpan()', { tracer: {} }],
  ['meter: it has no createCounter()', { meter: {} }],
  ['meter: it has no createHistogram()', { meter: { createCounter() {} } }],
  ['there is no such option', { trace: {} }],
])('what cannot work is refused: %s', (message, options) => {
  expect(() => otelTo(options as never)).toThrow(message);
});
