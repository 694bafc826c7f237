import type { DynamoDBClientLike } from '../../src/dynamo/client.ts';
import type { Call } from './call.ts';
import type { Holder } from './holder.ts';
import type { LeaseModel } from './lease-model.ts';
import type { Promises } from './promises.ts';

/** What a holder is given, and who is told of what it hears. */
export interface Surroundings {
  readonly promises: Promises;
  readonly leases: LeaseModel;
  /** A client whose messages belong to a call on an item, or to a step of the holder's lease, named in words. */
  client(holder: Holder, of: () => Call | string): DynamoDBClientLike;
  ended(call: Call, result: unknown): void;
}
