/**
 * What happens inside the library, for logs, metrics and traces: every lease, write, refusal and unknown outcome is an event.
 *
 * @module dynamodb-fenced/observe
 */

// The events, and where they are heard.
export { channelName } from '../fence/channel.ts';
export type {
  AcquireEvent,
  ClaimEvent,
  Effort,
  EventBase,
  FailureEvent,
  FencingEvent,
  ItemPlace,
  ItemVerb,
  LastSeen,
  LeaseVerb,
  LossEvent,
  RefusalEvent,
  RejectedEvent,
  RejectedReason,
  ReleaseEvent,
  RenewEvent,
  ReplayEvent,
  UnknownEvent,
  WaitEvent,
  WriteEvent,
} from '../fence/events.ts';
// Metrics of CloudWatch, through Powertools or as lines, and their names.
export { type EmfOptions, emfTo, type LineOutput, type PowertoolsMetricsLike } from './emf.ts';
// Logs: one line for each event.
export { type LoggerLike, type LogOptions, logTo } from './log.ts';
export { type LogLevel, logLevelOf } from './log-level.ts';
export type { LineOptions, LogLine } from './log-line.ts';
export { metricNames, refusalMetrics } from './metric-names.ts';
// OpenTelemetry: spans and metrics.
export { type MeterLike, type OtelOptions, otelTo, type TracerLike } from './otel.ts';
export type { Shown } from './shown.ts';
export { type Subscription, subscribe } from './subscribe.ts';
