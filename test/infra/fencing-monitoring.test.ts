import { type App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { FencedTable } from '../../infra/constructs/fenced-table.ts';
import { FencingMonitoring, type FencingMonitoringProps } from '../../infra/constructs/fencing-monitoring.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { emfTo, metricNames, refusalMetrics } from '../../src/observe/index.ts';
import { playIncident } from '../observe/incident.ts';
import { offlineApps } from './offline-app.ts';

const newApp = offlineApps();

interface MadeAlarm {
  readonly MetricName: string;
  readonly Namespace: string;
  readonly Threshold: number;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

/** A stack with a monitoring alone. */
function monitored(props?: FencingMonitoringProps, app: App = newApp()) {
  const stack = new Stack(app, 'Watch');
  const monitoring = new FencingMonitoring(stack, 'Fencing', props);
  return { stack, monitoring };
}

function alarmsOf(stack: Stack): readonly MadeAlarm[] {
  const found = Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm');
  return Object.values(found).map(({ Properties }) => Properties as MadeAlarm);
}

/** What the dashboard shows, as `[namespace, name, …dimensions, options]`. */
function shownOn(stack: Stack): readonly (readonly unknown[])[] {
  const [dashboard] = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Dashboard'));
  const body = stack.resolve(dashboard?.Properties.DashboardBody);
  const text = typeof body === 'string' ? body : JSON.stringify(body['Fn::Join'][1].map(literal).join(''));
  const parsed = JSON.parse(typeof body === 'string' ? text : JSON.parse(text));
  return parsed.widgets.flatMap(
    (widget: { properties: { metrics?: unknown[][] } }) => widget.properties.metrics ?? [],
  );
}

function literal(part: unknown): string {
  return typeof part === 'string' ? part : ((part as { Ref?: string }).Ref ?? 'token');
}

/** What the library writes while a stale holder is refused: namespace, dimensions and values of each line. */
async function written(options: Parameters<typeof emfTo>[1]) {
  const lines: string[] = [];
  using _ = emfTo({ write: (text: string) => lines.push(text) }, options);
  await playIncident();
  return lines.map((text) => {
    const line = JSON.parse(text);
    const [directive] = line._aws.CloudWatchMetrics;
    const names: string[] = directive.Metrics.map(({ Name }: { Name: string }) => Name);
    const dimensions = directive.Dimensions[0].map((Name: string) => ({ Name, Value: line[Name] }));
    return {
      namespace: directive.Namespace,
      dimensions,
      names,
      valueOf: (name: string) => Number(line[name]),
    };
  });
}

const everyName: readonly string[] = [...Object.values(metricNames), ...Object.values(refusalMetrics)];

describe('FencingMonitoring', () => {
  it.each([
    { is: 'by default', props: {}, options: {} },
    {
      is: 'under a namespace and dimensions of your own',
      props: { metricNamespace: 'bank', dimensionsMap: { service: 'ledger' } },
      options: { namespace: 'bank', dimensions: { service: 'ledger' } },
    },
  ])('counts what the library writes, $is', async ({ props, options }) => {
    const { stack } = monitored({ ...props, fencedThreshold: 1 });
    const alarms = alarmsOf(stack);
    const lines = await written(options);
    for (const line of lines) {
      for (const { Namespace, Dimensions = [] } of alarms) {
        expect({ Namespace, Dimensions }).toEqual({ Namespace: line.namespace, Dimensions: line.dimensions });
      }
    }
    const shown = shownOn(stack);
    const [{ namespace, dimensions }] = lines as [(typeof lines)[number]];
    const flat = dimensions.flatMap(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]);
    for (const [space, name, ...rest] of shown) {
      expect(space).toBe(namespace);
      expect(everyName).toContain(name);
      expect(rest.slice(0, flat.length)).toEqual(flat);
    }
    // The refusal of the incident is what the alarm waits for.
    const fenced = alarms.find(({ MetricName }) => MetricName === refusalMetrics.fenced);
    const refused = lines.filter(({ names }) => names.includes(fenced?.MetricName ?? ''));
    const sum = refused.reduce((total, line) => total + line.valueOf(refusalMetrics.fenced), 0);
    expect(sum).toBeGreaterThanOrEqual(fenced?.Threshold ?? Number.NaN);
  });

  it('has an alarm for each thing that docs/operations.md names, quiet where nothing is counted', () => {
    const { stack, monitoring } = monitored({ waitMs: 2_000 });
    const template = Template.fromStack(stack);
    const sums = { Statistic: 'Sum', ComparisonOperator: 'GreaterThanOrEqualToThreshold' };
    for (const [MetricName, Threshold, Period, EvaluationPeriods] of [
      ['RefusedTokenReused', 1, 60, 1],
      ['OutcomeUnknown', 1, 60, 1],
      ['CallFailed', 10, 300, 1],
      ['RefusedFenced', 10, 300, 1],
      ['LeaseLost', 10, 300, 1],
      ['RefusedContention', 10, 60, 5],
      ['SequencerRejected', 10, 60, 1],
    ] as const) {
      template.hasResourceProperties('AWS::CloudWatch::Alarm', {
        ...{ MetricName, Threshold, Period, EvaluationPeriods, ...sums },
        TreatMissingData: 'notBreaching',
      });
    }
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      ...{ MetricName: 'AcquireDuration', Threshold: 1_800, ExtendedStatistic: 'p99', EvaluationPeriods: 3 },
    });
    expect(monitoring.alarms).toHaveLength(8);
    template.resourceCountIs('AWS::CloudWatch::Alarm', 8);
  });

  it('knows nothing of slow waits unless you say how long they may be', () => {
    expect(alarmsOf(monitored().stack).map(({ MetricName }) => MetricName)).not.toContain('AcquireDuration');
  });

  it.each([
    ['fencedThreshold', 'RefusedFenced'],
    ['leasesLostThreshold', 'LeaseLost'],
    ['callsFailedThreshold', 'CallFailed'],
    ['contentionThreshold', 'RefusedContention'],
    ['rejectedThreshold', 'SequencerRejected'],
  ])('%s is the threshold of %s', (prop, name) => {
    const alarms = alarmsOf(monitored({ [prop]: 123 }).stack);
    expect(alarms.filter(({ Threshold }) => Threshold === 123).map(({ MetricName }) => MetricName)).toEqual([
      name,
    ]);
  });

  it('shows every metric of the library, and what DynamoDB counts of the tables', () => {
    const stack = new Stack(newApp(), 'Watch');
    const leases = new LeaseTable(stack, 'Leases');
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    const accounts = new FencedTable(stack, 'Accounts', { partitionKey });
    new FencingMonitoring(stack, 'Fencing', { tables: [leases, accounts] });
    const shown = shownOn(stack);
    expect(new Set(shown.filter(([space]) => space === 'DynamoDBFenced').map(([, name]) => name))).toEqual(
      new Set(everyName),
    );
    const ofTables = shown.filter(([space]) => space === 'AWS/DynamoDB');
    const refs = [leases, accounts].map(({ tableName }) => literal(stack.resolve(tableName)));
    for (const metric of ['ConditionalCheckFailedRequests', 'WriteThrottleEvents']) {
      const tables = ofTables.filter(([, name]) => name === metric).map(([, , , table]) => table);
      expect(tables).toEqual(refs);
    }
  });

  it('calls whom it is told to, for every alarm', () => {
    const stack = new Stack(newApp(), 'Watch');
    const topic = new Topic(stack, 'Topic');
    const { alarms } = new FencingMonitoring(stack, 'Fencing', { alarmActions: [new SnsAction(topic)] });
    const calling = Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm', {
      Properties: { AlarmActions: [stack.resolve(topic.topicArn)] },
    });
    expect(Object.keys(calling)).toHaveLength(alarms.length);
  });

  it('has no dashboard where none is wanted', () => {
    const { stack, monitoring } = monitored({ dashboard: false });
    expect(monitoring.dashboard).toBeUndefined();
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });

  it('has metrics for alarms of your own', () => {
    const { stack, monitoring } = monitored({ metricNamespace: 'bank' });
    const metric = monitoring.metric(metricNames.written, { statistic: 'Average' });
    metric.createAlarm(stack, 'Idle', { threshold: 1, evaluationPeriods: 1 });
    Template.fromStack(stack).hasResourceProperties('AWS::CloudWatch::Alarm', {
      ...{ MetricName: 'ItemWritten', Namespace: 'bank', Statistic: 'Average', Dimensions: Match.absent() },
    });
  });
});
