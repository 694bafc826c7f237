import type { WireOptions } from '../dynamo/client.ts';
import type { FencingToken } from '../fence/token.ts';
import { FencedRepository } from '../repository/fenced-repository.ts';

/** A message as it is stored. */
export interface OutboxRow<M> {
  resource: string;
  /** The sort key: the order of the messages of one resource. */
  position: string;
  token: FencingToken;
  seq: number;
  message: M;
  /** Only while it is not sent: the sort key of the index `pending`, the same as `position`. */
  pending?: string;
  /** Only while it is not sent: the partition key of the index `unsent`, the same for all. */
  queue?: string;
  sentAtMs?: number;
  /** When a sent message may be deleted, in seconds since the epoch, as DynamoDB's TTL wants it. */
  deleteAfterS?: number;
}

/** What `queue` says of every message that is not sent. */
export const UNSENT = 'unsent';

/**
 * What an outbox table must look like, without its name: for `createTable` of the test kit, and to be copied into
 * your CDK stack. A message is in both indexes until it is sent. `unsent` finds the resources that have messages;
 * `pending` has those of one resource in order, and is a local index because only those can be read consistently:
 * a global one might show the second message before the first.
 */
export const outboxTable = {
  partitionKey: 'resource',
  sortKey: 'position',
  indexes: [
    {
      indexName: 'unsent',
      partitionKey: 'queue',
      sortKey: 'resource',
      projection: ['_fence', '_fenceVersion'],
    },
    { indexName: 'pending', sortKey: 'pending', projection: 'all' },
  ],
} as const;

/** One table, seen by those who write messages and by those who send them. */
export interface OutboxRows<M> {
  /** Guarded by the resource that a message is about. */
  readonly written: FencedRepository<OutboxRow<M>, 'resource' | 'position'>;
  /**
   * Guarded by the relay of that resource. Its tokens come from another counter, so they stand in attributes of
   * their own: tokens of two counters cannot be compared.
   */
  readonly relayed: FencedRepository<OutboxRow<M>, 'resource' | 'position'>;
}

export function outboxRows<M>(options: WireOptions & { readonly tableName: string }): OutboxRows<M> {
  const { client, tableName, clock, random } = options;
  const shared = {
    ...{ client, tableName, key: ['resource', 'position'] as const },
    ...(clock === undefined ? {} : { clock }),
    ...(random === undefined ? {} : { random }),
  };
  return {
    written: new FencedRepository({ ...shared, resource: ({ resource }) => resource }),
    relayed: new FencedRepository({
      ...shared,
      resource: ({ resource }) => relayResource(resource),
      attributes: relayAttributes,
    }),
  };
}

/** The resource that the relay of a resource holds while it sends. */
export function relayResource(resource: string): string {
  return `outbox/${resource}`;
}

const relayAttributes = {
  fence: '_relayFence',
  holder: '_relayHolder',
  seq: '_relaySeq',
  version: '_relayVersion',
};
