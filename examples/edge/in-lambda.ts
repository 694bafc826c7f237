// What the handlers of the examples are made of in a Lambda function.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClientLike } from 'dynamodb-fenced';
import { environmentVariables } from 'dynamodb-fenced/lambda';
import { emfTo } from 'dynamodb-fenced/observe';
import type { Sequencer } from 'dynamodb-fenced/sequencer';
import { sealsOfSecret } from './seals-of-secret.ts';
import { secretOf } from './secret.ts';

/** Where a handler runs, and what it works with. */
export interface Surroundings {
  /** Has the names of its tables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly client: DynamoDBClientLike;
  /** What seals and opens the fences of its clients. */
  readonly seals: () => Promise<Sequencer>;
}

/** The surroundings in a function that the construct `FencedFunction` has deployed; and what happens there is counted from now on. */
export function inLambda(env: Surroundings['env'] = process.env): Surroundings {
  const { metricsNamespace, sequencerSecret } = environmentVariables;
  const namespace = env[metricsNamespace];
  // Written to the output itself: what a console writes, Lambda would wrap in a line of its own, and count nothing.
  emfTo(process.stdout, namespace === undefined ? {} : { namespace });
  const arn = env[sequencerSecret];
  if (arn === undefined) throw new Error(`${sequencerSecret} names no secret to seal fences with.`);
  return { env, client: new DynamoDBClient({}), seals: sealsOfSecret(() => secretOf(arn, env)) };
}
