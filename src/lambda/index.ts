/**
 * Leases for Lambda functions, as long as an invocation may take and never longer than it; and what functions are told by their
 * environment.
 *
 * @module dynamodb-fenced/lambda
 */

// The names of environment variables, for handlers and for what deploys them.
export { environmentVariables, tableNamesFrom, tableVariable } from './environment.ts';
// A lease for an invocation.
export { type LambdaContext, type Leased, type WithLeaseOptions, withLease } from './with-lease.ts';
