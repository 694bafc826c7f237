import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { FencingMonitoring } from '../constructs/fencing-monitoring.ts';
import type { ExampleTables } from './example-tables.ts';

/** What is watched. */
export interface MonitoringStackProps extends StackProps {
  readonly watched: readonly ExampleTables<string>[];
}

/**
 * Alarms and a dashboard on what the functions of both APIs count, in the namespace that they share. Whom the alarms call is for who
 * deploys it to say.
 */
export class MonitoringStack extends Stack {
  readonly monitoring: FencingMonitoring;

  constructor(scope: Construct, id: string, { watched, ...props }: MonitoringStackProps) {
    super(scope, id, props);
    this.monitoring = new FencingMonitoring(this, 'Fencing', {
      tables: watched.flatMap(({ leases, items }) => [leases, ...Object.values(items)]),
    });
  }
}
