import type { FencingEvent } from '../fence/events.ts';
import { metricNames, refusalMetrics } from './metric-names.ts';

/** One value of a metric. */
export interface Metric {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds';
  readonly value: number;
}

const counters: Readonly<Record<Exclude<FencingEvent['event'], 'refusal'>, string>> = {
  acquire: metricNames.acquired,
  wait: metricNames.waited,
  renew: metricNames.renewed,
  loss: metricNames.lost,
  release: metricNames.released,
  claim: metricNames.claimed,
  write: metricNames.written,
  replay: metricNames.replayed,
  unknown: metricNames.unknown,
  failure: metricNames.failed,
  rejected: metricNames.rejected,
};

/** What an event counts for: itself, and, of a grant or a write, how long it took. Pure. */
export function metricsOf(event: FencingEvent): readonly Metric[] {
  const name = event.event === 'refusal' ? refusalMetrics[event.reason] : counters[event.event];
  const count: Metric = { name, unit: 'Count', value: 1 };
  switch (event.event) {
    case 'acquire':
      return [count, { name: metricNames.acquireMs, unit: 'Milliseconds', value: event.durationMs }];
    case 'claim':
    case 'write':
    case 'replay':
      return [count, { name: metricNames.writeMs, unit: 'Milliseconds', value: event.durationMs }];
    default:
      return [count];
  }
}
