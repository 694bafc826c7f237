import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { metricNames, refusalMetrics } from '../../src/observe/metric-names.ts';
import { type MetricIn, tableMetric } from './fencing-metrics.ts';

/** A table, by its name in AWS. */
export interface NamedTable {
  readonly tableName: string;
}

const width = 8;
const percentiles = [50, 99].map(Stats.percentile);

/** One page: what is wrong, what was refused and why, what was done, and what the tables say of it. */
export function fencingDashboard(
  scope: Construct,
  metricIn: MetricIn,
  alarms: readonly Alarm[],
  tables: readonly NamedTable[],
): Dashboard {
  const graph = (title: string, left: readonly IMetric[]) =>
    new GraphWidget({ title, left: [...left], width });
  const counts = (title: string, names: readonly string[]) =>
    graph(
      title,
      names.map((name) => metricIn(name)),
    );
  const durations = (title: string, name: string) =>
    graph(
      title,
      percentiles.map((statistic) => metricIn(name, { statistic, label: statistic })),
    );
  const of = (reasons: readonly (keyof typeof refusalMetrics)[]) =>
    reasons.map((reason) => refusalMetrics[reason]);
  const { acquired, waited, renewed, lost, released } = metricNames;
  const { claimed, written, replayed, unknown, failed, rejected, acquireMs, writeMs } = metricNames;
  return new Dashboard(scope, 'Dashboard', {
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 3 * width })],
      [
        counts('Refused by the fence', of(['fenced', 'token-reused', 'superseded', 'lost'])),
        counts('Refused for others', of(['held', 'contention'])),
        counts('Refused for the content', of(['not-found', 'exists', 'version', 'condition'])),
      ],
      [
        counts('Writes', [claimed, written, replayed]),
        counts('Failed, unknown, rejected', [failed, unknown, rejected]),
        counts('Leases', [acquired, waited, renewed, lost, released]),
      ],
      [durations('Time to a lease, in ms', acquireMs), durations('Time of a write, in ms', writeMs)],
      tables.length === 0
        ? []
        : [
            graph(
              'Conditions that failed, by table',
              // More of these than refusals are writes of somebody who does not count them.
              tables.map(({ tableName }) => tableMetric(tableName, 'ConditionalCheckFailedRequests')),
            ),
            graph(
              'Writes that were throttled, by table',
              tables.map(({ tableName }) => tableMetric(tableName, 'WriteThrottleEvents')),
            ),
          ],
    ],
  });
}
