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
  ReleaseEvent,
  RenewEvent,
  ReplayEvent,
  UnknownEvent,
  WaitEvent,
  WriteEvent,
} from '../fence/events.ts';
// Logs: one line for each event.
export { type LoggerLike, type LogOptions, logTo } from './log.ts';
export { type LogLevel, logLevelOf } from './log-level.ts';
export type { LineOptions, LogLine } from './log-line.ts';
export type { Shown } from './shown.ts';
export { type Subscription, subscribe } from './subscribe.ts';
