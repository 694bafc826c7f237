import type { Alarm, Dashboard, IAlarmAction, Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { checkProps, type PropNames } from './check-props.ts';
import { checkThresholds } from './check-thresholds.ts';
import { type AlarmThresholds, fencingAlarms } from './fencing-alarms.ts';
import { fencingDashboard, type NamedTable } from './fencing-dashboard.ts';
import { type MetricIn, type MetricSource, metricsIn } from './fencing-metrics.ts';

/** What is watched, from when on somebody is called, and who. */
export interface FencingMonitoringProps extends MetricSource, AlarmThresholds {
  /**
   * Tables of which the dashboard shows what DynamoDB counts: fenced ones and those of leases.
   * @default - none
   */
  readonly tables?: readonly NamedTable[];
  /**
   * What every alarm does.
   * @default - nothing: they are seen in the console and on the dashboard alone
   */
  readonly alarmActions?: readonly IAlarmAction[];
  /**
   * Whether there is a dashboard.
   * @default true
   */
  readonly dashboard?: boolean;
}

const names: PropNames<FencingMonitoringProps> = {
  ...{ metricNamespace: true, dimensionsMap: true, tables: true, alarmActions: true, dashboard: true },
  ...{ fencedThreshold: true, leasesLostThreshold: true, callsFailedThreshold: true },
  ...{ contentionThreshold: true, rejectedThreshold: true, waitMs: true },
};

/**
 * Alarms and a dashboard on the metrics that `emfTo()` of `dynamodb-fenced/observe` writes. What each alarm means, and what to do, is in
 * docs/operations.md.
 *
 * The metrics have no dimension unless you give `emfTo` some, so functions that write into one namespace are counted together. Give
 * each its own namespace, or its own dimensions, and a monitoring of its own where that is too coarse.
 *
 * CloudWatch charges for alarms, for dashboards and for metrics, by the month; there are seven alarms, eight with `waitMs`. Nothing of
 * it was run against AWS.
 *
 * @throws Error for props that are not known, a namespace that is empty, and thresholds that are no numbers above 0.
 * @example
 * new FencingMonitoring(this, 'Fencing', {
 *   tables: [leases, accounts],
 *   alarmActions: [new SnsAction(topic)],
 *   waitMs: 2_000,
 * });
 */
export class FencingMonitoring extends Construct {
  /** In the order of their gravity. */
  readonly alarms: readonly Alarm[];
  /** Undefined where there is none. */
  readonly dashboard: Dashboard | undefined;
  readonly #metricIn: MetricIn;

  /**
   * @param scope where it belongs.
   * @param id its name there.
   * @param props `metricNamespace` and `dimensionsMap` of the metrics, `tables`, thresholds, `alarmActions` and `dashboard`.
   */
  constructor(scope: Construct, id: string, props: FencingMonitoringProps = {}) {
    super(scope, id);
    checkProps(this, props, names);
    checkThresholds(this, props);
    const { tables = [], alarmActions = [], dashboard = true } = props;
    this.#metricIn = metricsIn(props);
    this.alarms = fencingAlarms(this, this.#metricIn, props);
    for (const alarm of this.alarms) alarm.addAlarmAction(...alarmActions);
    this.dashboard = dashboard ? fencingDashboard(this, this.#metricIn, this.alarms, tables) : undefined;
  }

  /**
   * A metric of the library, for alarms and graphs of your own.
   *
   * @param metricName one of `metricNames` or `refusalMetrics` of `dynamodb-fenced/observe`.
   * @param options what else a metric takes, as `statistic` (default `Sum`) and `period`.
   * @returns the metric, in the namespace and with the dimensions of this monitoring.
   */
  metric(metricName: string, options?: MetricOptions): Metric {
    return this.#metricIn(metricName, options).attachTo(this);
  }
}
