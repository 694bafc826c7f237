import { afterEach, expect } from 'vitest';
import type { DynamoDBClientLike } from '../../src/index.ts';

let sent: unknown[] = [];

/** A client for calls that must be refused before anything is sent. One that is not fails its test, whatever it answers. */
export const noWire = noWireWith(1);

/** The same, with another answer to how many copies it may send. */
export function noWireWith(maxAttempts: unknown): DynamoDBClientLike {
  return {
    config: { maxAttempts: async () => maxAttempts as number },
    async send({ input }) {
      sent.push(input);
      throw new Error('nothing may be sent');
    },
  };
}

afterEach(() => {
  const requests = sent;
  sent = [];
  expect(requests, 'requests that must not be sent').toEqual([]);
});
