import type { Clock } from '../fence/clock.ts';
import { systemClock } from '../fence/clock.ts';
import { checkClock, checkRandom } from '../fence/clock-option.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { anything, type OptionChecks } from '../fence/options.ts';
import { type Random, systemRandom } from '../fence/random.ts';

/**
 * A DynamoDBClient, or a DynamoDBDocumentClient, of any copy of the SDK: told by what it can do, not by its
 * class. Its endpoint, credentials, middleware and `maxAttempts` are used as they are; the pauses between
 * attempts and the bookkeeping of copies are this library's own.
 */
export interface DynamoDBClientLike {
  /** What is read of the client's own settings. */
  readonly config: {
    /** How many copies of a request may be sent. */
    readonly maxAttempts: () => Promise<number>;
  };
  /** Sends one command; the SDK overloads this by command. */
  // biome-ignore lint/suspicious/noExplicitAny: the two clients' overloads have no common type.
  send(command: any, options?: any): Promise<any>;
}

/** What everything that talks to DynamoDB is given. */
export interface Wire {
  readonly client: DynamoDBClientLike;
  readonly clock: Clock;
  readonly random: Random;
}

export interface WireOptions {
  /** The client to send with. */
  readonly client: DynamoDBClientLike;
  /** Time; default the system's. */
  readonly clock?: Clock;
  /** Randomness; default the system's. */
  readonly random?: Random;
}

/** The client is checked by {@link wireOf}. */
export const wireOptions: OptionChecks<WireOptions> = {
  client: anything,
  clock: checkClock,
  random: checkRandom,
};

export function wireOf({ client, clock = systemClock, random = systemRandom }: WireOptions): Wire {
  if (typeof client?.send !== 'function' || typeof client.config?.maxAttempts !== 'function') {
    throw new InvalidInputError(
      'client',
      'this is no DynamoDB client of the AWS SDK v3',
      'Pass new DynamoDBClient({}) of @aws-sdk/client-dynamodb, or a DynamoDBDocumentClient made from one.',
    );
  }
  return { client, clock, random };
}

/** Checks the name (or ARN) of a table. */
export function checkTableName(tableName: string): string {
  if (typeof tableName === 'string' && tableName !== '') return tableName;
  throw new InvalidInputError(
    'tableName',
    `${describe(tableName)} names no table`,
    'Pass the name or the ARN of the table. Is the environment variable set?',
  );
}
