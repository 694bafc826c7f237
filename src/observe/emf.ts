import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { FencingEvent } from '../fence/events.ts';
import { checkOptions } from '../fence/options.ts';
import { checkDimensions, checkNamespace } from './emf-names.ts';
import { defaultNamespace } from './metric-names.ts';
import { type Metric, metricsOf } from './metrics-of.ts';
import { type Subscription, subscribe } from './subscribe.ts';

/** The Metrics of Powertools for AWS Lambda, as far as it is used. */
export interface PowertoolsMetricsLike {
  /** Stores one value until the metrics are published. */
  addMetric(name: string, unit: 'Count' | 'Milliseconds', value: number): unknown;
}

/** What lines are written to, as `process.stdout`. */
export interface LineOutput {
  /** Writes a text that ends with a newline. */
  write(text: string): unknown;
}

/** How metrics in CloudWatch's embedded metric format are written. For Powertools there are none: it has its own. */
export interface EmfOptions {
  /** The namespace of the metrics in CloudWatch. Default `DynamoDBFenced`. */
  readonly namespace?: string;
  /**
   * Dimensions that all metrics get, with values that never change, as `{ service: 'bank' }`: at most 30, with names and values as
   * CloudWatch takes them. Default none.
   */
  readonly dimensions?: Readonly<Record<string, string>>;
}

/**
 * Counts every event as a metric of CloudWatch, under the names of {@link metricNames} and {@link refusalMetrics}, with the durations of grants
 * and writes. No name of a resource, a holder or an item is a dimension, so the number of metrics is fixed.
 *
 * @param output the Metrics of Powertools, which stores the values until you publish them; or what lines in the embedded metric
 * format are written to, one an event. Default `process.stdout`: CloudWatch Logs makes metrics of them.
 * @param options `namespace` and `dimensions`, for lines alone.
 * @returns what stops it. Costs no request.
 * @throws InvalidInputError where the output takes neither, or an option cannot work.
 * @example
 * emfTo(new Metrics({ namespace: 'bank', serviceName: 'ledger' }));
 * emfTo(process.stdout, { namespace: 'bank', dimensions: { service: 'ledger' } });
 */
export function emfTo(
  output: PowertoolsMetricsLike | LineOutput = process.stdout,
  options?: EmfOptions,
): Subscription {
  const checked = checkOptions(options, { namespace: checkNamespace, dimensions: checkDimensions });
  if (takesMetrics(output)) {
    if (options !== undefined) {
      throw new InvalidInputError(
        'options',
        'Powertools has its own namespace and dimensions',
        'Give them to its Metrics.',
      );
    }
    return subscribe((event) => {
      for (const { name, unit, value } of metricsOf(event)) output.addMetric(name, unit, value);
    });
  }
  if (typeof output?.write !== 'function') {
    throw new InvalidInputError(
      'output',
      `${describe(output)} takes no metrics`,
      'Pass the Metrics of Powertools, process.stdout, or nothing.',
    );
  }
  // By write(): a console may be wrapped, and put something before the line.
  return subscribe((event) => output.write(`${JSON.stringify(emfOf(event, checked))}\n`));
}

function takesMetrics(output: PowertoolsMetricsLike | LineOutput): output is PowertoolsMetricsLike {
  return typeof (output as Partial<PowertoolsMetricsLike> | null)?.addMetric === 'function';
}

/** An event in the embedded metric format of CloudWatch. Pure. */
function emfOf(event: FencingEvent, { namespace = defaultNamespace, dimensions = {} }: EmfOptions): object {
  const metrics = metricsOf(event);
  const Metrics = metrics.map(({ name, unit }) => ({ Name: name, Unit: unit }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [Object.keys(dimensions)], Metrics }];
  return {
    _aws: { Timestamp: Math.floor(event.atMs), CloudWatchMetrics },
    ...dimensions,
    ...valuesOf(metrics),
  };
}

function valuesOf(metrics: readonly Metric[]): Readonly<Record<string, number>> {
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
