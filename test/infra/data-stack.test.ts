import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { FencingChecks } from '../../infra/policy/fencing-checks.ts';
import { DataStack } from '../../infra/stacks/data-stack.ts';
import { offlineApp } from './offline-app.ts';

const app = offlineApp();
const stack = new DataStack(app, 'Data');
const template = Template.fromStack(stack);
const tables = Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));

describe('the data stack', () => {
  it('has one lease table, keyed by resource', () => {
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [{ AttributeName: 'resource', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'resource', AttributeType: 'S' }],
    });
  });

  it('has one fenced table, keyed as in the quick start', () => {
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    template.resourceCountIs('AWS::DynamoDB::GlobalTable', 2);
  });

  it('loses no fence: every table is retained, protected and recoverable, and nothing in it expires', () => {
    const durable = {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: Match.absent(),
        Replicas: [
          {
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          },
        ],
      },
    };
    template.allResources('AWS::DynamoDB::GlobalTable', durable);
  });

  it('is in one Region: between Regions without strong consistency, conditions do not hold', () => {
    for (const table of tables) expect(table.Properties.Replicas).toHaveLength(1);
  });

  it('names the tables that a program has to be told', () => {
    template.hasOutput('LeasesTableName', { Value: stack.resolve(stack.leases.tableName) });
    template.hasOutput('AccountsTableName', { Value: stack.resolve(stack.accounts.tableName) });
  });

  it('is as cdk-nag and our own checks want it', () => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
    app.synth();
    expect(new FencingChecks().validate({ appConstruct: app }).violations).toEqual([]);
  });

  it('needs no look-up in an account', () => {
    expect(app.synth().manifest.missing ?? []).toEqual([]);
  });
});
