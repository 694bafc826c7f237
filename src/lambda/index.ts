/**
 * Leases for Lambda functions: as long as an invocation may take, and never longer than it.
 *
 * @module dynamodb-fenced/lambda
 */

export { type LambdaContext, type Leased, type WithLeaseOptions, withLease } from './with-lease.ts';
