import type { RefusalReason } from '../fence/result.ts';

/** The namespace of the metrics in CloudWatch, unless another is asked for. */
export const defaultNamespace = 'DynamoDBFenced';

/**
 * The names of all metrics, in one place: alarms are built on them. Each is without a dimension of its own, so that there
 * are as many metrics as there are names here, whatever the number of resources, holders and items.
 */
export const metricNames = {
  acquired: 'LeaseAcquired',
  waited: 'LeaseWaited',
  renewed: 'LeaseRenewed',
  lost: 'LeaseLost',
  released: 'LeaseReleased',
  claimed: 'ItemClaimed',
  written: 'ItemWritten',
  replayed: 'WriteReplayed',
  unknown: 'OutcomeUnknown',
  failed: 'CallFailed',
  /** Of sealed sequencers. */
  rejected: 'SequencerRejected',
  /** In ms, from the call to its answer, waiting included. */
  acquireMs: 'AcquireDuration',
  /** In ms, of writes, claims and replays. */
  writeMs: 'WriteDuration',
} as const;

/** The name of the metric that counts the refusals for one reason. */
export const refusalMetrics = {
  fenced: 'RefusedFenced',
  'token-reused': 'RefusedTokenReused',
  superseded: 'RefusedSuperseded',
  lost: 'RefusedLost',
  held: 'RefusedHeld',
  contention: 'RefusedContention',
  'not-found': 'RefusedNotFound',
  exists: 'RefusedExists',
  version: 'RefusedVersion',
  condition: 'RefusedCondition',
} as const satisfies Readonly<Record<RefusalReason, string>>;
