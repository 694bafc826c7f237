import { Stack, Tags } from 'aws-cdk-lib';
import {
  AttributeType,
  CfnGlobalTable,
  MultiRegionConsistency,
  Table,
  type TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnSimpleTable } from 'aws-cdk-lib/aws-sam';
import { describe, expect, it } from 'vitest';

import { allow, env, found, l1, partitionKey, rulesOf, type World, world } from './world.ts';

describe('tables are read as the template has them', () => {
  const strong = {
    replicas: [{ region: 'us-east-2' }, { region: 'us-west-2' }],
    multiRegionConsistency: MultiRegionConsistency.STRONG,
  };
  const projection = { projectionType: 'INCLUDE', nonKeyAttributes: ['_fence'] };
  const keySchema = [{ attributeName: 'id', keyType: 'HASH' }];

  it.each<[string, string, object, (world: World) => unknown]>([
    [
      'a time to live',
      'TimeToLive',
      {},
      ({ items }) =>
        l1(items).addPropertyOverride('TimeToLiveSpecification', { AttributeName: 'ttl', Enabled: true }),
    ],
    [
      'a time to live of leases',
      'TimeToLive',
      {},
      ({ leases }) => {
        l1(leases).timeToLiveSpecification = { attributeName: 'ttl', enabled: true };
      },
    ],
    [
      'a replica that is added later',
      'EventualReplica',
      {},
      ({ items }) => (items.node.defaultChild as TableV2).addReplica({ region: 'us-east-2' }),
    ],
    [
      'replicas that are written over',
      'EventualReplica',
      {},
      ({ items }) => l1(items).addPropertyOverride('Replicas.1', { Region: 'us-east-2' }),
    ],
    [
      'strong consistency that is taken away',
      'EventualReplica',
      strong,
      ({ items }) => l1(items).addPropertyDeletionOverride('MultiRegionConsistency'),
    ],
    [
      'a local index that is added later',
      'StrongWithLocalIndex',
      { ...strong, sortKey: { name: 'at', type: AttributeType.STRING } },
      ({ items }) =>
        (items.node.defaultChild as TableV2).addLocalSecondaryIndex({
          indexName: 'l',
          sortKey: { name: 'due', type: AttributeType.STRING },
        }),
    ],
    [
      'an index that projects half of what is hidden',
      'IndexWithoutFence',
      {},
      ({ items }) => {
        l1(items).globalSecondaryIndexes = [{ indexName: 'g', keySchema, projection }];
      },
    ],
  ])('%s', (_, rule, props, build) => {
    const it = world({ env, props });
    build(it);
    expect(rulesOf(it.app)).toEqual([rule]);
  });

  it('a table of any kind is looked at if it has the tag', () => {
    const { app, stack, role } = world();
    const table = new Table(stack, 'Old', { partitionKey, timeToLiveAttribute: 'ttl' });
    table.grantWriteData(role);
    expect(found(app)).toEqual([]);

    const again = world();
    const tagged = new Table(again.stack, 'Old', { partitionKey, timeToLiveAttribute: 'ttl' });
    tagged.grantWriteData(again.role);
    Tags.of(tagged).add('dynamodb-fenced:role', 'items');
    expect(rulesOf(again.app)).toEqual(['TimeToLive', 'UnconditionalWrite', 'UnfenceableWrite']);
  });

  it.each<[string, (world: World) => unknown]>([
    [
      'of the older kind, by a custom resource',
      ({ stack }) => {
        const old = new Table(stack, 'Old', { partitionKey, replicationRegions: ['us-east-2'] });
        Tags.of(old).add('dynamodb-fenced:role', 'items');
      },
    ],
    [
      'in another account',
      ({ app, items }) => {
        const other = new Stack(app, 'Other', { env: { account: '444455556666', region: 'us-east-2' } });
        const replica = new CfnGlobalTable(other, 'Replica', { replicas: [{ region: 'us-east-2' }] });
        replica.globalTableSourceArn = `arn:aws:dynamodb:us-east-1:${env.account}:table/items`;
        l1(items).addPropertyOverride('TableName', 'items');
      },
    ],
  ])('a replica is found that is made elsewhere: %s', (_, build) => {
    const it = world();
    build(it);
    expect(rulesOf(it.app)).toContain('EventualReplica');
  });

  it('a table of SAM is looked at if it has the tag', () => {
    const { app, stack, role } = world();
    const tags = { 'dynamodb-fenced:role': 'items' };
    const table = new CfnSimpleTable(stack, 'Simple', { tags });
    role.addToPolicy(allow('dynamodb:DeleteItem', table.getAtt('Arn').toString()));
    expect(found(app)).toEqual([
      expect.stringMatching(/^UnfenceableWrite: Data\/Role may .* on Data\/Simple,/),
    ]);
  });

  it('the names of hidden attributes are those of the table', () => {
    const { app, items, role } = world({ env, props: { attributes: { fence: '_f' } } });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:PutItem'],
        resources: [items.tableArn],
        conditions: { 'ForAnyValue:StringEquals': { 'dynamodb:Attributes': ['_fence'] } },
      }),
    );
    expect(rulesOf(app)).toEqual(['UnconditionalWrite']);
  });
});
