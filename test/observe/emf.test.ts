import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { describe, expect, it, vi } from 'vitest';
import { publish } from '../../src/fence/channel.ts';
import { emfTo, type FencingEvent, metricNames, refusalMetrics } from '../../src/observe/index.ts';
import { playIncident, REQUEST_MS, startMs } from './incident.ts';

type Emf = {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
} & Readonly<Record<string, unknown>>;

/** An output that keeps what is written. */
function keeping() {
  const texts: string[] = [];
  return { texts, output: { write: (text: string) => texts.push(text) } };
}

const counted = {
  ...{ LeaseAcquired: 3, LeaseRenewed: 3, LeaseWaited: 1, LeaseLost: 1, LeaseReleased: 3 },
  ...{ ItemClaimed: 3, ItemWritten: 2, RefusedFenced: 1 },
};

describe('plain lines', () => {
  it('count the incident, with durations, and no name in a dimension', async () => {
    const { texts, output } = keeping();
    using _ = emfTo(output, { namespace: 'bank', dimensions: { service: 'ledger' } });
    await playIncident();
    const lines: Emf[] = texts.map((text) => JSON.parse(text));
    const sums: Record<string, number> = {};
    const durations: unknown[] = [];
    for (const line of lines) {
      const [directive] = line._aws.CloudWatchMetrics;
      expect(directive).toMatchObject({ Namespace: 'bank', Dimensions: [['service']] });
      expect(line.service).toBe('ledger');
      for (const { Name, Unit } of directive?.Metrics ?? []) {
        if (Unit === 'Count') sums[Name] = (sums[Name] ?? 0) + Number(line[Name]);
        else durations.push([Name, Unit, line[Name]]);
      }
    }
    expect(sums).toEqual(counted);
    expect(durations).toHaveLength(8);
    expect(durations[0]).toEqual(['AcquireDuration', 'Milliseconds', REQUEST_MS]);
    expect(durations[1]).toEqual(['WriteDuration', 'Milliseconds', REQUEST_MS]);
    expect(lines[0]?._aws.Timestamp).toBe(startMs + REQUEST_MS);
    expect(texts.join('')).not.toMatch(/account|A\/|B\//);
    expect(texts.every((text) => text.endsWith('}\n'))).toBe(true);
  });

  it('go to standard output, unless you say otherwise', () => {
    const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      using _ = emfTo();
      publish(wait);
      expect(JSON.parse(String(spy.mock.calls[0]?.[0]))).toMatchObject({
        _aws: { CloudWatchMetrics: [{ Namespace: 'DynamoDBFenced', Dimensions: [[]] }] },
        LeaseWaited: 1,
      });
    } finally {
      spy.mockRestore();
    }
  });
});

const wait: FencingEvent = {
  ...{ event: 'wait', verb: 'acquire', atMs: 0, resource: 'r', token: undefined, holder: 'a/1' },
  ...{ lastToken: undefined, lastHolder: 'b/1', expiresAtMs: 1 },
};

describe('the Metrics of Powertools', () => {
  it('receive the incident, and publish it in one line', async () => {
    const metrics = new Metrics({ namespace: 'bank', serviceName: 'ledger' });
    const { texts } = keeping();
    using _ = emfTo(metrics);
    await playIncident();
    const serialized = metrics.serializeMetrics() as unknown as Emf;
    metrics.clearMetrics();
    const total = (name: string) => [serialized[name]].flat().reduce<number>((sum, n) => sum + Number(n), 0);
    expect(Object.fromEntries(Object.keys(counted).map((name) => [name, total(name)]))).toEqual(counted);
    const [directive] = serialized._aws.CloudWatchMetrics;
    expect(directive).toMatchObject({ Namespace: 'bank', Dimensions: [['service']] });
    expect(directive?.Metrics).toContainEqual({ Name: 'AcquireDuration', Unit: MetricUnit.Milliseconds });
    expect(JSON.stringify(serialized)).not.toMatch(/account|A\/|B\//);
    expect(texts).toEqual([]);
  });
});

const names = [...Object.values(metricNames), ...Object.values(refusalMetrics)];

it('every name is one of its own', () => {
  expect(new Set(names).size).toBe(names.length);
});

it.each<[string, unknown, unknown]>([
  ['output: ', {}, undefined],
  ['namespace: ', { write() {} }, { namespace: '' }],
  ['namespace: it begins with a colon', { write() {} }, { namespace: ':bank' }],
  ['namespace: ', { write() {} }, { namespace: 'b'.repeat(256) }],
  ['dimensions: ', { write() {} }, { dimensions: 'service' }],
  ['dimensions.service: ', { write() {} }, { dimensions: { service: 1 } }],
  ['dimensions.service: ', { write() {} }, { dimensions: { service: ' ' } }],
  ['dimensions.service: ', { write() {} }, { dimensions: { service: 'Zürich' } }],
  ['dimensions.service: ', { write() {} }, { dimensions: { service: 'b'.repeat(1_025) } }],
  ['dimensions._aws: a line has a field', { write() {} }, { dimensions: { _aws: 'x' } }],
  ...names.map((name): [string, unknown, unknown] => [
    `dimensions.${name}: a line has a field`,
    { write() {} },
    { dimensions: { [name]: 'x' } },
  ]),
  ['dimensions.:a: it begins', { write() {} }, { dimensions: { ':a': 'x' } }],
  ['dimensions.: its name', { write() {} }, { dimensions: { '': 'x' } }],
  [
    'dimensions: CloudWatch takes 30',
    { write() {} },
    { dimensions: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`d${n}`, 'x'])) },
  ],
  ['Powertools has its own', { addMetric() {} }, { namespace: 'bank' }],
  ['there is no such option', { write() {} }, { dimension: {} }],
])('what cannot work is refused: %s', (message, output, options) => {
  expect(() => emfTo(output as never, options as never)).toThrow(message);
});
