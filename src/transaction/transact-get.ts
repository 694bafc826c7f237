import type { Item } from '../dynamo/attributes.ts';
import { placeText } from '../dynamo/plan.ts';
import { read } from '../dynamo/read.ts';
import type { ReadPlan } from '../dynamo/step.ts';
import type { CallOptions } from '../fence/call-options.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { callOptions, checkOptions } from '../fence/options.ts';
import { within } from '../fence/within.ts';
import { MOST_ACTIONS } from './actions.ts';
import { checkOneClient, type Named, named, underNames } from './named-steps.ts';

/** What `transactGet` reads: plans by names, or listed. */
export type Reads = Readonly<Record<string, ReadPlan>> | readonly ReadPlan[];

/** What each of them found, under the same names. */
export type Found<R extends Reads> = {
  readonly [N in keyof R]: R[N] extends ReadPlan<infer Value> ? Value : never;
};

/**
 * Reads several items of one or several repositories as they were at one moment: no transaction is seen in
 * parts. For those who will not write: an older holder may still change the items after this read.
 *
 * @param reads what `repository.plan.get(…)` made, by name or in a list; 1 to 100 items, 4 MB.
 * @param options `timeoutMs` for the whole call, in ms (default 10,000), and `signal`.
 * @returns each item with its version, under the name or at the place of its plan; undefined where there is none, or
 * where it was deleted. While another transaction writes one of them it is asked for again.
 * @throws InvalidInputError before anything is sent; UnavailableError where no answer came, or other transactions
 * were in the way until the end of `timeoutMs`; the service's error; the signal's reason.
 * Costs 1 request, 2 RCU per 4 KB of each item: twice a consistent read.
 * @example
 * const { from, to } = await transactGet({ from: accounts.plan.get({ id: 'a1' }), to: accounts.plan.get({ id: 'b1' }) });
 */
export async function transactGet<const R extends Reads>(reads: R, options?: CallOptions): Promise<Found<R>> {
  const checked = checkOptions(options, callOptions);
  const all = named<ReadPlan>(reads, 'reads', 'a read: { from: accounts.plan.get(…) }');
  for (const one of all) checkRead(one);
  checkOneClient(all);
  const places = new Map(all.map(({ step }) => [placeText(step.tableName, step.key), step]));
  checkCount(places.size);
  const { wire } = (all[0] as Named<ReadPlan>).step;
  return within(wire.clock, checked, async (deadline) => {
    const TransactItems = [...places.values()].map(({ tableName, key }) => ({
      Get: { TableName: tableName, Key: key },
    }));
    const request = { op: 'TransactGetItems', input: { TransactItems } } as const;
    const { Responses } = await read(wire, request, deadline, { attempts: 'unanswered' });
    const answers = (Responses ?? []) as readonly { readonly Item?: Item }[];
    const items = new Map([...places.keys()].map((place, index) => [place, answers[index]?.Item]));
    const found = all.map(
      ({ name, step }) => [name, step.found(items.get(placeText(step.tableName, step.key)))] as const,
    );
    return underNames(found) as Found<R>;
  });
}

function checkRead({ step, path }: Named<ReadPlan>): void {
  if (typeof step === 'object' && step !== null && 'found' in step) return;
  throw new InvalidInputError(path, 'this is no read', 'Pass what repository.plan.get(…) returned.');
}

function checkCount(count: number): void {
  if (count <= MOST_ACTIONS) return;
  throw new InvalidInputError(
    'reads',
    `they name ${count} items, and a transaction reads ${MOST_ACTIONS}`,
    'Use getMany, which reads any number, each item on its own.',
  );
}
