import { expect } from 'vitest';
import type { DynamoDBClientLike } from '../../src/index.ts';

/** A client for calls that must be refused before anything is sent. */
export const noWire: DynamoDBClientLike = {
  config: { maxAttempts: async () => 1 },
  send: () => expect.unreachable('nothing may be sent'),
};
