import { expect, it } from 'vitest';
import { fencingToken } from '../../src/fence/token.ts';
import { type FencingEvent, metricNames, refusalMetrics } from '../../src/observe/index.ts';
import { metricsOf } from '../../src/observe/metrics-of.ts';

const token = fencingToken(42);
const base = { atMs: 1, resource: 'r', token, holder: 'a/1' };
const effort = { durationMs: 7, attempts: 1, requestId: undefined };
const seen = { lastToken: token, lastHolder: 'b/1' };
const item = { ...base, ...effort, table: 't', key: { id: 'a' }, step: undefined };

// One of each kind: a kind that is added without a line here does not compile.
const events: { readonly [Kind in FencingEvent['event']]: Extract<FencingEvent, { readonly event: Kind }> } =
  {
    acquire: { ...base, ...effort, event: 'acquire', verb: 'acquire', expiresAtMs: 2 },
    wait: { ...base, ...seen, event: 'wait', verb: 'acquire', token: undefined, expiresAtMs: 2 },
    renew: { ...base, ...effort, event: 'renew', verb: 'renew', expiresAtMs: 2, renewedLate: false },
    loss: { ...base, ...seen, event: 'loss', reason: 'fenced' },
    release: { ...base, ...effort, event: 'release', verb: 'release' },
    claim: { ...item, event: 'claim', verb: 'claim' },
    write: { ...item, event: 'write', verb: 'put' },
    replay: { ...item, event: 'replay', verb: 'put' },
    refusal: { ...item, ...seen, event: 'refusal', verb: 'put', reason: 'fenced', applied: 'no' },
    unknown: { ...item, event: 'unknown', verb: 'put', cause: 'TimeoutError' },
    failure: { ...item, event: 'failure', verb: 'put', code: 'unavailable' },
    rejected: {
      ...{ event: 'rejected', atMs: 1, reason: 'expired', resource: 'r', sealedResource: 'r' },
      ...{ token, holder: 'a/1' },
    },
  };

const expected: { readonly [Kind in FencingEvent['event']]: readonly [string, string?] } = {
  acquire: ['LeaseAcquired', 'AcquireDuration'],
  wait: ['LeaseWaited'],
  renew: ['LeaseRenewed'],
  loss: ['LeaseLost'],
  release: ['LeaseReleased'],
  claim: ['ItemClaimed', 'WriteDuration'],
  write: ['ItemWritten', 'WriteDuration'],
  replay: ['WriteReplayed', 'WriteDuration'],
  refusal: ['RefusedFenced'],
  unknown: ['OutcomeUnknown'],
  failure: ['CallFailed'],
  rejected: ['SequencerRejected'],
};

it.each(Object.entries(expected))(
  'a %s counts once, with its duration where it is a grant or a write',
  (kind, names) => {
    const [counter, duration] = names;
    const count = { name: counter, unit: 'Count', value: 1 };
    const took = { name: duration, unit: 'Milliseconds', value: 7 };
    expect(metricsOf(events[kind as FencingEvent['event']])).toEqual(
      duration === undefined ? [count] : [count, took],
    );
  },
);

it.each(Object.entries(refusalMetrics))('a refusal for %s counts as %s', (reason, name) => {
  const event = { ...events.refusal, reason } as FencingEvent;
  expect(metricsOf(event)).toEqual([{ name, unit: 'Count', value: 1 }]);
});

it('there is no metric that nothing counts for', () => {
  const counted = new Set([...Object.values(expected).flat(), ...Object.values(refusalMetrics)]);
  expect(new Set([...Object.values(metricNames), ...Object.values(refusalMetrics)])).toEqual(counted);
});
