/**
 * Tables for the CDK in which a stale writer finds no way in, and grants that leave it none. Needs `aws-cdk-lib` and `constructs`,
 * and loads no AWS SDK. Nothing of it was run against AWS: what IAM answers is taken from its documentation.
 *
 * @module dynamodb-fenced/cdk
 */

export type { HiddenAttributes } from '../src/dynamo/attributes.ts';
// The tables, durable, and with the grants that go with them.
export type { DurabilityProps } from './constructs/durability.ts';
// A function that is bundled, told of its tables, and granted no more than it needs.
export { FencedFunction, type FencedFunctionProps } from './constructs/fenced-function.ts';
export { FencedTable, type FencedTableProps, type FencedWriteOptions } from './constructs/fenced-table.ts';
// Alarms and a dashboard on the metrics that the library writes.
export type { AlarmThresholds } from './constructs/fencing-alarms.ts';
// A permissions boundary that holds whatever is granted later, and wherever.
export { FencingBoundary, type FencingBoundaryProps } from './constructs/fencing-boundary.ts';
export type { NamedTable } from './constructs/fencing-dashboard.ts';
export type { MetricSource } from './constructs/fencing-metrics.ts';
export { FencingMonitoring, type FencingMonitoringProps } from './constructs/fencing-monitoring.ts';
export { LeaseTable, type LeaseTableProps } from './constructs/lease-table.ts';
// What fails `cdk synth` when somebody in the app may write around the fence.
export { FencingChecks, type FencingChecksOptions, type FencingRule } from './policy/fencing-checks.ts';
// What is thrown, while the app is built, for a table or a grant under which a stale writer would get through.
export { type UnsafeTableCode, UnsafeTableError } from './policy/unsafe-table-error.ts';
