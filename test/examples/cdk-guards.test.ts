import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AccountRootPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { expect, it } from 'vitest';
import { type GuardedBankStack, guardedApp } from '../../examples/cdk-guards.ts';
import { offlineApps } from '../infra/offline-app.ts';

const newApp = offlineApps();

it('examples/cdk-guards.ts passes its own checks, behind a boundary, with alarms that call somebody', () => {
  const app = guardedApp(newApp());
  app.synth();
  const bank = Template.fromStack(app.node.findChild('Bank') as Stack);
  bank.allResourcesProperties('AWS::IAM::Role', { PermissionsBoundary: {} });
  bank.resourceCountIs('AWS::CloudWatch::Alarm', 9);
  bank.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
});

it('and fails them where somebody else, who is not behind the boundary, may write what he likes', () => {
  const app = guardedApp(newApp());
  const { accounts } = app.node.findChild('Bank') as GuardedBankStack;
  const clerk = new Role(new Stack(app, 'Back'), 'Clerk', { assumedBy: new AccountRootPrincipal() });
  clerk.addToPolicy(new PolicyStatement({ actions: ['dynamodb:*'], resources: [accounts.tableArn] }));
  expect(() => app.synth()).toThrow(/Back\/Clerk may dynamodb:PutItem/);
});
