import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { FencingChecks } from '../policy/fencing-checks.ts';
import { exampleStacks } from '../stacks/example-stacks.ts';

const app = new App({ analyticsReporting: false });
Validations.of(app).addPlugins(new FencingChecks(), new AwsSolutionsChecks(app));

exampleStacks(app);
