import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { FencingChecks } from '../policy/fencing-checks.ts';
import { DataStack } from '../stacks/data-stack.ts';

const app = new App({ analyticsReporting: false });
Validations.of(app).addPlugins(new FencingChecks(), new AwsSolutionsChecks(app));

new DataStack(app, 'DynamodbFencedData', {
  description: 'Leases, and one table that they fence.',
  terminationProtection: true,
});
