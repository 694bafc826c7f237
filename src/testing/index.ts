/**
 * The test kit: a DynamoDB in this process. Nothing here is needed in production.
 */

// A local DynamoDB, in memory or on disk, with or without a socket.
export type { BeforeCommit, PendingWrite } from './local/context.ts';
export { type LocalDynamoDB, type LocalDynamoDBOptions, startLocalDynamoDB } from './local-dynamodb.ts';
// The wire of the AWS SDK as a parameter: what faults wrap.
export type { SdkRequest, SdkRequestHandler, SdkRequestOptions, SdkResponse } from './request-handler.ts';
export type { IndexDefinition, KeyAttribute, TableDefinition } from './table-definition.ts';
