import type { Step } from '../dynamo/step.ts';
import { below } from '../dynamo/text.ts';
import { InvalidInputError } from '../fence/errors.ts';

/** A step of a call, and what its caller knows it as. */
export interface Named<S> {
  readonly name: string | number;
  /** Where it stands in what was passed, for errors: `steps.debit`, `steps[1]`. */
  readonly path: string;
  readonly step: S;
}

/**
 * Gives each step its name, or its place in the list.
 *
 * @param path what the caller knows them as, and `example` what one of them may be, for errors.
 * @throws InvalidInputError where there are none.
 */
export function named<S>(
  steps: Readonly<Record<string, S>> | readonly S[],
  path = 'steps',
  example = 'a step: { debit: accounts.plan.update(…) }',
): readonly Named<S>[] {
  const entries = Array.isArray(steps)
    ? // A hole is no step, and is told so.
      Array.from(steps as readonly S[], (step, index) => ({ name: index, path: `${path}[${index}]`, step }))
    : Object.entries(steps ?? {}).map(([name, step]) => ({ name, path: below(path, name), step }));
  if (entries.length > 0) return entries;
  throw new InvalidInputError(path, 'there are none', `Pass at least ${example}, by name or in a list.`);
}

/** What each step came to, under the names that they were passed under: a list for a list. */
export function underNames<Value>(
  found: readonly (readonly [name: string | number, value: Value])[],
): readonly Value[] | Readonly<Record<string, Value>> {
  const isList = found.every(([name]) => typeof name === 'number');
  return isList ? found.map(([, value]) => value) : Object.fromEntries(found);
}

/** @throws InvalidInputError where something else than a step was passed, a promise or a result for instance. */
export function checkStep({ step, path }: Named<Step>): void {
  const { fence, wire } = (step ?? {}) as Partial<Step>;
  const does = typeof step === 'object' && step !== null && ('action' in step || 'conditionCheck' in step);
  if (does && fence !== undefined && wire !== undefined) return;
  throw new InvalidInputError(
    path,
    'this is no step of a transaction',
    'Pass what repository.plan.… or leases.check(…) returned: plan.update(…), not update(…), which sends.',
  );
}

/**
 * One request has one endpoint and one signature, so all that it touches must be reached with one client.
 *
 * @throws InvalidInputError naming the first two steps that differ.
 */
export function checkOneClient(steps: readonly Named<Pick<Step, 'wire'>>[]): void {
  const [first] = steps;
  // A document client shares the settings of the client that it was made from, so these are one.
  const other = steps.find(({ step }) => step.wire.client.config !== first?.step.wire.client.config);
  if (other === undefined) return;
  throw new InvalidInputError(
    other.path,
    `its table is reached with another client than that of ${first?.path}`,
    'Give all repositories and the token source of one transaction the same client.',
  );
}
