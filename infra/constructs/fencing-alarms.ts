import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { metricNames, refusalMetrics } from '../../src/observe/metric-names.ts';
import type { MetricIn } from './fencing-metrics.ts';

/** From which numbers on somebody is called. All but `waitMs` are counts. */
export interface AlarmThresholds {
  /**
   * Refusals of stale writers, in 5 minutes. Nothing was damaged, but processes are stopped for longer than their leases.
   * @default 10
   */
  readonly fencedThreshold?: number;
  /**
   * Leases that ended before their work did, in 5 minutes.
   * @default 10
   */
  readonly leasesLostThreshold?: number;
  /**
   * Calls that failed, in 5 minutes: outages, missing permissions, damaged fences.
   * @default 10
   */
  readonly callsFailedThreshold?: number;
  /**
   * Writes that gave up among others, in each of 5 minutes in a row: throttling, or a hot item.
   * @default 10
   */
  readonly contentionThreshold?: number;
  /**
   * Sealed sequencers that were turned away, in a minute: a client guesses, or has an old key.
   * @default 10
   */
  readonly rejectedThreshold?: number;
  /**
   * For how long your callers wait for a lease, in ms: there is an alarm where one in a hundred waits for nearly as long, which is nine
   * tenths of it, in each of 3 minutes in a row.
   * @default - no such alarm
   */
  readonly waitMs?: number;
}

interface Rule {
  readonly id: string;
  readonly metricName: string;
  readonly threshold: number;
  readonly minutes: number;
  /** How many periods in a row. */
  readonly times?: number;
  readonly statistic?: string;
  readonly because: string;
}

/** What is worth waking somebody, as docs/operations.md explains it. */
function rules(given: AlarmThresholds): readonly Rule[] {
  const { fencedThreshold = 10, leasesLostThreshold = 10, callsFailedThreshold = 10 } = given;
  const { contentionThreshold = 10, rejectedThreshold = 10, waitMs } = given;
  return [
    {
      ...{ id: 'TokenReused', metricName: refusalMetrics['token-reused'], threshold: 1, minutes: 1 },
      because:
        'Two grants have one number: the issuer is broken, or a lease table was restored. Raise its tokens.',
    },
    {
      ...{ id: 'OutcomeUnknown', metricName: metricNames.unknown, threshold: 1, minutes: 1 },
      because: 'A write may or may not have been applied, and its caller does not know.',
    },
    {
      ...{ id: 'CallsFailed', metricName: metricNames.failed, threshold: callsFailedThreshold, minutes: 5 },
      because:
        'Calls fail: an outage, missing permissions or damaged fences. The code in the log tells which.',
    },
    {
      ...{ id: 'Fenced', metricName: refusalMetrics.fenced, threshold: fencedThreshold, minutes: 5 },
      because:
        'Stale writers were refused. Nothing was damaged, but processes stop for longer than their leases.',
    },
    {
      ...{ id: 'LeasesLost', metricName: metricNames.lost, threshold: leasesLostThreshold, minutes: 5 },
      because: 'Work takes longer than its lease, which is not renewed.',
    },
    {
      ...{ id: 'Contention', metricName: refusalMetrics.contention, threshold: contentionThreshold },
      ...{ minutes: 1, times: 5 },
      because: 'Writes give up among others: throttling, or an item that everybody writes.',
    },
    {
      ...{
        id: 'SequencersRejected',
        metricName: metricNames.rejected,
        threshold: rejectedThreshold,
        minutes: 1,
      },
      because: 'Sealed sequencers are turned away: a client guesses, or has an old key.',
    },
    ...(waitMs === undefined
      ? []
      : [
          {
            ...{ id: 'SlowAcquire', metricName: metricNames.acquireMs, threshold: waitMs * 0.9 },
            ...{ minutes: 1, times: 3, statistic: Stats.percentile(99) },
            because: 'Waiters wait for nearly as long as they are given: holders keep them out.',
          },
        ]),
  ];
}

/** Makes the alarms, in the order of their gravity. Where nothing is counted, nothing is wrong. */
export function fencingAlarms(
  scope: Construct,
  metricIn: MetricIn,
  given: AlarmThresholds,
): readonly Alarm[] {
  return rules(given).map(
    ({ id, metricName, threshold, minutes, times = 1, statistic = Stats.SUM, because }) =>
      new Alarm(scope, id, {
        metric: metricIn(metricName, { statistic, period: Duration.minutes(minutes) }),
        alarmDescription: because,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: times,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
  );
}
