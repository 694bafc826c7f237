import { CfnParameter, Stack } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { describe, expect, it } from 'vitest';
import { FencedTable, FencingBoundary, FencingMonitoring, LeaseTable } from '../../infra/index.ts';
import { exampleStacks } from '../../infra/stacks/example-stacks.ts';
import { offlineApps } from './offline-app.ts';

const newApp = offlineApps();
const text = (name: string) => ({ name, type: AttributeType.STRING });
const partitionKey = text('id');

/** Of what JavaScript, or a spread, lets through. */
type Make = (stack: Stack, props: never) => unknown;
const table: Make = (stack, props) => new FencedTable(stack, 'It', props);
const leases: Make = (stack, props) => new LeaseTable(stack, 'It', props);
const monitoring: Make = (stack, props) => new FencingMonitoring(stack, 'It', props);
const boundary: Make = (stack, props) => new FencingBoundary(stack, 'It', props);
const keyed = (more: object) => ({ partitionKey, ...more });
const attributes = (of: object) => keyed({ attributes: of });

describe('is refused, with the path, what is wrong and what to do', () => {
  it.each<[string, Make, unknown, string]>([
    ['no props', table, undefined, 'props is missing. Pass an object, with encryptionKey, '],
    [
      'a name',
      table,
      keyed({ tableName: 'a' }),
      'props has tableName, which is not known here. Leave it out. There are ',
    ],
    ['an encryption', table, keyed({ encryption: {} }), 'props has encryption, '],
    ['a backup that is off', table, keyed({ pointInTimeRecovery: false }), 'props has pointInTimeRecovery, '],
    ['no key', table, {}, "partitionKey is no attribute. Pass its name and its type, as { name: 'id',"],
    ['a key without a name', table, { partitionKey: text('') }, 'partitionKey is no attribute'],
    ['a key without a type', table, keyed({ sortKey: { name: 'at' } }), 'sortKey is no attribute'],
    ['half a day', table, keyed({ recoveryPeriodInDays: 3.5 }), 'recoveryPeriodInDays is no whole number'],
    [
      'no number of days',
      leases,
      { recoveryPeriodInDays: Number.NaN },
      'recoveryPeriodInDays is no whole number',
    ],
    [
      'keys of replicas alone',
      table,
      keyed({ replicaKeyArns: {} }),
      'replicaKeyArns belong to a table with an encryptionKey',
    ],
    [
      'a replica without a key',
      table,
      keyed({ encryptionKey: {}, replicas: [{ region: 'us-east-2' }] }),
      'replicaKeyArns has no key for us-east-2',
    ],
    [
      'another hidden attribute',
      table,
      attributes({ fance: 'f' }),
      'attributes has fance, which is not known here',
    ],
    ['a hidden attribute without a name', table, attributes({ seq: '' }), 'attributes.seq is no name'],
    ['two of one name', table, attributes({ fence: 'f', version: 'f' }), 'attributes has one name twice'],
    ['one of the name of another', table, attributes({ holder: '_fence' }), 'attributes has one name twice'],
    ['replicas of leases', leases, { replicas: [{ region: 'us-east-2' }] }, 'props has replicas, '],
    ['leases without a key', leases, { partitionKeyName: '' }, 'partitionKeyName is no name'],
    [
      'a threshold of nothing',
      monitoring,
      { fencedThreshold: 0 },
      'fencedThreshold is 0. Pass a number above 0',
    ],
    ['no threshold', monitoring, { rejectedThreshold: Number.NaN }, 'rejectedThreshold is NaN'],
    ['no time to wait', monitoring, { waitMs: -1 }, 'waitMs is -1'],
    ['no namespace', monitoring, { metricNamespace: '' }, 'metricNamespace is empty'],
    ['an alarm that there is not', monitoring, { lostThreshold: 1 }, 'props has lostThreshold, '],
    ['a fence without a name', boundary, { fenceAttribute: '' }, 'fenceAttribute is no name'],
  ])('%s', (_, make, props, problem) => {
    const stack = new Stack(newApp(), 'Stack');
    expect(() => make(stack, props as never)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^Stack\/It: .+\. .+\.$/) }),
    );
    expect(() => make(new Stack(newApp(), 'Stack'), props as never)).toThrow(`Stack/It: ${problem}`);
  });

  it.each<[string, (parameter: CfnParameter, stack: Stack) => unknown]>([
    ['fence', (name, stack) => table(stack, attributes({ fence: name.valueAsString }) as never)],
    ['fenceAttribute', (name, stack) => boundary(stack, { fenceAttribute: name.valueAsString } as never)],
    ['waitMs', (ms, stack) => monitoring(stack, { waitMs: ms.valueAsNumber } as never)],
  ])('%s of a parameter: the program has it, too', (prop, make) => {
    const stack = new Stack(newApp(), 'Stack');
    const type = prop === 'waitMs' ? 'Number' : 'String';
    expect(() => make(new CfnParameter(stack, 'Given', { type }), stack)).toThrow(
      new RegExp(`^Stack/It: [\\w.]*${prop} is known only at deployment`),
    );
  });
});

describe('is taken', () => {
  it('what is left undefined: it is that of the library', () => {
    const stack = new Stack(newApp(), 'Stack');
    const props = attributes({ fence: undefined, seq: '_n' });
    const made = new FencedTable(stack, 'It', {
      ...props,
      sortKey: undefined,
      removalPolicy: undefined,
    } as never);
    expect(made.attributes).toMatchObject({ fence: '_fence', seq: '_n' });
  });

  it('a threshold that is known at deployment', () => {
    const stack = new Stack(newApp(), 'Stack');
    const given = new CfnParameter(stack, 'Given', { type: 'Number' }).valueAsNumber;
    expect(() =>
      monitoring(stack, { fencedThreshold: given, metricNamespace: 'bank' } as never),
    ).not.toThrow();
  });

  it('a name of a key that is known at deployment', () => {
    const stack = new Stack(newApp(), 'Stack');
    const name = new CfnParameter(stack, 'Given').valueAsString;
    expect(() => table(stack, { partitionKey: text(name) } as never)).not.toThrow();
  });
});

describe('whose tokens the examples take', () => {
  const withContext = (context: object) => () => {
    const app = newApp();
    for (const [name, value] of Object.entries(context)) app.node.setContext(name, value);
    return exampleStacks(app);
  };
  const jwtIssuer = 'https://issuer.example.com';

  it.each<[string, object]>([
    ['jwtIssuer is no URL', { jwtAudience: 'web' }],
    ['jwtIssuer is no URL', { jwtIssuer: 'http://issuer.example.com', jwtAudience: 'web' }],
    ['jwtAudience names nobody', { jwtIssuer }],
    ['jwtAudience names nobody', { jwtIssuer, jwtAudience: ' , ' }],
  ])('%s: %j', (problem, context) => {
    expect(withContext(context)).toThrow(`The context ${problem}. Pass -c jwt`);
  });

  it('several, with or without spaces', () => {
    const { ledger } = withContext({ jwtIssuer, jwtAudience: 'web, app,' })();
    const audiences = ledger.node
      .findAll()
      .flatMap(
        (it) => (it as { jwtConfiguration?: { audience?: string[] } }).jwtConfiguration?.audience ?? [],
      );
    expect(audiences).toEqual(['web', 'app']);
  });
});
