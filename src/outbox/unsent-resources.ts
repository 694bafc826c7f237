import { gt } from '../dynamo/condition-operators.ts';
import { type OutboxRows, UNSENT } from './outbox-table.ts';

/**
 * The resources that have messages which are not sent. Skips from one to the next, so a resource with thousands
 * of messages costs no more than one with a single one: a query each, of one row.
 */
export async function* unsentResources<M>(
  { written }: OutboxRows<M>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const key = after === undefined ? { queue: UNSENT } : { queue: UNSENT, resource: gt(after) };
    const [next] = await written.query({ index: 'unsent', key, signal }).first(1);
    if (next === undefined) return;
    yield next.resource;
    after = next.resource;
  }
}
