import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { defaultNamespace } from '../../src/observe/metric-names.ts';

/** Which metrics are meant, of all in the account: those that `emfTo()` writes under the same namespace and dimensions. */
export interface MetricSource {
  /**
   * The namespace that the metrics are written in.
   * @default - that of the library
   */
  readonly metricNamespace?: string;
  /**
   * The dimensions that all of them are written with.
   * @default - none
   */
  readonly dimensionsMap?: Readonly<Record<string, string>>;
}

/** Makes a metric of a name. */
export type MetricIn = (metricName: string, options?: MetricOptions) => Metric;

export function metricsIn({ metricNamespace = defaultNamespace, dimensionsMap }: MetricSource): MetricIn {
  return (metricName, options) =>
    new Metric({
      namespace: metricNamespace,
      metricName,
      statistic: Stats.SUM,
      ...(dimensionsMap && { dimensionsMap }),
      ...options,
    });
}

/** What DynamoDB itself counts of a table. */
export function tableMetric(tableName: string, metricName: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    statistic: Stats.SUM,
  });
}
