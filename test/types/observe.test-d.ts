import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { metrics, trace } from '@opentelemetry/api';
import type { FencingToken, RefusalReason } from 'dynamodb-fenced';
import {
  emfTo,
  type FencingEvent,
  logTo,
  otelTo,
  type refusalMetrics,
  subscribe,
} from 'dynamodb-fenced/observe';
import { pino } from 'pino';
import { expect, test } from 'tstyche';

test('an event is told apart by its kind', () => {
  subscribe((event) => {
    if (event.event === 'acquire') expect(event.token).type.toBe<FencingToken>();
    if (event.event === 'wait') expect(event.token).type.toBe<FencingToken | undefined>();
    if (event.event === 'refusal') expect(event.reason).type.toBe<RefusalReason>();
    if (event.event === 'rejected') expect(event).type.not.toHaveProperty('durationMs');
    // Nothing of an item is told but its key.
    expect(event).type.not.toHaveProperty('item');
  });
  expect<FencingEvent['event']>().type.not.toBeAssignableFrom<'delete'>();
});

test('real loggers, metrics and meters fit', () => {
  expect(logTo).type.toBeCallableWith(pino());
  expect(logTo).type.toBeCallableWith(new Logger({ serviceName: 'bank' }), { keys: 'hashed' });
  expect(emfTo).type.toBeCallableWith(new Metrics({ namespace: 'bank' }));
  expect(emfTo).type.toBeCallableWith(process.stdout, { dimensions: { service: 'bank' } });
  expect(otelTo).type.toBeCallableWith({ tracer: trace.getTracer('x'), meter: metrics.getMeter('x') });
});

test('what cannot work does not compile', () => {
  expect(logTo).type.not.toBeCallableWith({ info() {} });
  expect(logTo).type.not.toBeCallableWith(pino(), { keys: 'hash' });
  expect(emfTo).type.not.toBeCallableWith(process.stdout, { dimensions: { service: 1 } });
  expect(otelTo).type.not.toBeCallableWith({ meter: { createCounter: () => ({ add() {} }) } });
});

test('every refusal has a metric', () => {
  expect<keyof typeof refusalMetrics>().type.toBe<RefusalReason>();
});
