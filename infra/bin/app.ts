import { App } from 'aws-cdk-lib';
import { DataStack } from '../stacks/data-stack.ts';

const app = new App({ analyticsReporting: false });

new DataStack(app, 'DynamodbFencedData', {
  description: 'Leases, and one table that they fence.',
  terminationProtection: true,
});
