import { Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { wrongProp } from './check-props.ts';
import type { AlarmThresholds } from './fencing-alarms.ts';
import type { MetricSource } from './fencing-metrics.ts';

/** Refuses what would be an alarm that is always on, or never. A count may be known only at deployment; a duration is calculated with. */
export function checkThresholds(scope: IConstruct, props: AlarmThresholds & MetricSource): void {
  const { fencedThreshold, leasesLostThreshold, callsFailedThreshold } = props;
  const { contentionThreshold, rejectedThreshold, waitMs, metricNamespace } = props;
  const counts = { fencedThreshold, leasesLostThreshold, callsFailedThreshold };
  for (const [prop, value] of Object.entries({ ...counts, contentionThreshold, rejectedThreshold, waitMs })) {
    if (value === undefined || (Token.isUnresolved(value) && prop !== 'waitMs')) continue;
    if (Token.isUnresolved(value))
      throw wrongProp(
        scope,
        `${prop} is known only at deployment`,
        'Pass the milliseconds that callers wait',
      );
    if (!(Number.isFinite(value) && value > 0))
      throw wrongProp(scope, `${prop} is ${value}`, 'Pass a number above 0, or leave it out');
  }
  if (metricNamespace === '')
    throw wrongProp(scope, 'metricNamespace is empty', 'Pass the one that emfTo() has, or leave it out');
}
