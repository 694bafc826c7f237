import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AttributeType, MultiRegionConsistency, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { FencedTable, type FencedTableProps } from '../../infra/constructs/fenced-table.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { defaultAttributes } from '../../src/dynamo/attributes.ts';
import { offlineApps } from './offline-app.ts';

const app = offlineApps();
const text = (name: string) => ({ name, type: AttributeType.STRING });
const partitionKey = text('id');
const strong = MultiRegionConsistency.STRONG;
const replicas = [{ region: 'us-east-2' }, { region: 'us-west-2' }];
const hidden = Object.values(defaultAttributes);
const inRegion = () => new Stack(app(), 'Stack', { env: { region: 'us-east-1' } });
const anywhere = () => new Stack(app(), 'Stack');

function fenced(props: Partial<FencedTableProps>, stack = inRegion()) {
  new FencedTable(stack, 'Items', { partitionKey, ...props });
  return Template.fromStack(stack);
}

describe('a fenced table', () => {
  it('has the logical id of a TableV2 under the same id', () => {
    const plain = anywhere();
    new TableV2(plain, 'Items', { partitionKey });
    const ids = (template: Template) => Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
    expect(ids(fenced({}))).toEqual(ids(Template.fromStack(plain)));
  });

  it('is as durable as can be', () => {
    expect(fenced({}).toJSON().Resources).toMatchSnapshot();
  });

  it('projects the hidden attributes into every index', () => {
    const index = { partitionKey: text('owner') };
    const template = fenced({
      sortKey: text('at'),
      globalSecondaryIndexes: [
        { ...index, indexName: 'all' },
        { ...index, indexName: 'keys', projectionType: ProjectionType.KEYS_ONLY },
        {
          ...index,
          indexName: 'some',
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: ['note', '_fence'],
        },
      ],
      localSecondaryIndexes: [
        { indexName: 'local', sortKey: text('due'), projectionType: ProjectionType.KEYS_ONLY },
      ],
    });
    const include = (...names: string[]) => ({ ProjectionType: 'INCLUDE', NonKeyAttributes: names });
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      GlobalSecondaryIndexes: [
        Match.objectLike({ Projection: { ProjectionType: 'ALL' } }),
        Match.objectLike({ Projection: include(...hidden) }),
        Match.objectLike({ Projection: include('note', '_fence', ...hidden.slice(1)) }),
      ],
      LocalSecondaryIndexes: [Match.objectLike({ Projection: include(...hidden) })],
    });
  });

  it.each([
    ['three Regions', { replicas }],
    ['two and a witness', { replicas: replicas.slice(0, 1), witnessRegion: 'us-west-2' }],
  ])('may be in %s that agree strongly, and then has no transactions', (_, props) => {
    const stack = inRegion();
    const table = new FencedTable(stack, 'Items', { partitionKey, multiRegionConsistency: strong, ...props });
    expect(table.supportsTransactions).toBe(false);
    Template.fromStack(stack).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      MultiRegionConsistency: 'STRONG',
    });
  });

  const keyIn = (stack: Stack) => Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:us-east-1:111122223333:key/k');
  it.each<[string, string, object]>([
    ['a time to live', 'FencedTableTtl', { timeToLiveAttribute: 'expiresAt' }],
    ['replicas that agree eventually (I8)', 'FencedTableEventualReplica', { replicas }],
    ['strength between one Region', 'FencedTableStrongWithoutReplicas', { multiRegionConsistency: strong }],
    [
      'a local index beside strong replicas',
      'FencedTableStrongWithLocalIndex',
      {
        replicas,
        multiRegionConsistency: strong,
        sortKey: text('at'),
        localSecondaryIndexes: [{ indexName: 'l', sortKey: text('due') }],
      },
    ],
    ['a fence that is the key', 'FencedTableReservedKey', { partitionKey: text('_fence') }],
    ['a stamp that sorts', 'FencedTableReservedKey', { sortKey: text('_fenceVersion') }],
    ['a renamed fence that is the key', 'FencedTableReservedKey', { attributes: { fence: 'id' } }],
    [
      'a fence that is one of several keys of an index',
      'FencedTableReservedKey',
      {
        globalSecondaryIndexes: [
          { indexName: 'g', partitionKeys: [text('a'), text('b')], sortKeys: [text('c'), text('_fence')] },
        ],
      },
    ],
    [
      'a fence that is the key of an index',
      'FencedTableReservedKey',
      { globalSecondaryIndexes: [{ indexName: 'g', partitionKey: text('_fence') }] },
    ],
  ])('refuses %s', (_, code, props) => {
    const error = expect.objectContaining({ code, path: expect.stringMatching(/^Stack\/Items$/) });
    expect(() => fenced(props)).toThrow(error);
  });

  it('refuses a key of its own where the Region is unknown, and takes it where it is known', () => {
    const error = expect.objectContaining({ code: 'FencedTableKeyWithoutRegion' });
    for (const make of [
      (at: Stack) => new FencedTable(at, 'Items', { partitionKey, encryptionKey: keyIn(at) }),
      (at: Stack) => new LeaseTable(at, 'Leases', { encryptionKey: keyIn(at) }),
    ]) {
      expect(() => make(anywhere())).toThrow(error);
    }
    const stack = inRegion();
    fenced({ encryptionKey: keyIn(stack) }, stack).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    });
  });
});

it('a lease table is as durable, and refuses a time to live', () => {
  const stack = inRegion();
  new LeaseTable(stack, 'Leases');
  expect(Template.fromStack(stack).toJSON().Resources).toMatchSnapshot();
  const ttl: object = { timeToLiveAttribute: 'expiresAtMs' };
  expect(() => new LeaseTable(inRegion(), 'Leases', ttl)).toThrow(
    /FencedTableTtl: .*\/Leases has a time to live/,
  );
});
