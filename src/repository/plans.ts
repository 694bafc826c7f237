import type { Changes } from '../dynamo/operators.ts';
import type { CheckPlan, WritePlan } from '../dynamo/plan.ts';
import type { Plan, ReadPlan } from '../dynamo/step.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { Fence } from '../fence/fence.ts';
import { checkOptions } from '../fence/options.ts';
import type { DeleteResult, NotFound, NotMet, Written } from '../fence/result.ts';
import { checkPlan } from './check.ts';
import { deletePlan } from './delete.ts';
import { checkPlanOptions, conditionOptions, updatePlanOptions } from './option-checks.ts';
import type { CheckOptions, ConditionOptions, FencedRepositoryOptions } from './options.ts';
import { putPlan } from './put.ts';
import type { Table, Versioned } from './table.ts';
import { updatePlan } from './update.ts';
import { validate } from './validate.ts';

/**
 * The verbs of a repository as values, the steps of a transaction. Making one sends nothing and costs nothing;
 * one may be used in several transactions. There is no claim among them, because a transaction answers no
 * items: claim first, and let the transaction follow.
 */
export class Plans<T extends object, K extends keyof T & string> {
  readonly #table: Table<T, K>;
  readonly #schema: FencedRepositoryOptions<T, K>['schema'];

  /** @internal */
  constructor(table: Table<T, K>, schema: FencedRepositoryOptions<T, K>['schema']) {
    this.#table = table;
    this.#schema = schema;
  }

  /**
   * Writes an item where users see none.
   *
   * @throws InvalidInputError as the verb; where the schema answers later, which a value cannot wait for.
   */
  create(fence: Fence, item: T): Plan<Written<T>, NotFound | NotMet<T, 'exists' | 'version' | 'condition'>> {
    return this.#put(fence, item, { as: 'create' });
  }

  /** Writes a whole item over whatever is there, or over one that meets `when` and `ifVersion`. @throws as {@link create}. */
  put(
    fence: Fence,
    item: T,
    options?: ConditionOptions<T>,
  ): Plan<Written<T>, NotFound | NotMet<T, 'exists' | 'version' | 'condition'>> {
    return this.#put(fence, item, { ...checkOptions(options, conditionOptions), as: 'put' });
  }

  /** Changes some attributes of an item, which must be there unless `upsert` is set. @throws InvalidInputError as the verb. */
  update(
    fence: Fence,
    identity: Pick<T, K>,
    changes: Changes<Omit<T, K>>,
    options?: ConditionOptions<T> & { readonly upsert?: boolean },
  ): Plan<Written<T>, NotFound | NotMet<T, 'version' | 'condition'>> {
    return this.#plan(
      fence,
      identity,
      updatePlan(this.#table, identity, changes, checkOptions(options, updatePlanOptions)),
    );
  }

  /** Deletes an item, and keeps its fence. @throws InvalidInputError as the verb. */
  delete(
    fence: Fence,
    identity: Pick<T, K>,
    options?: ConditionOptions<T>,
  ): Plan<Extract<DeleteResult<T>, { readonly ok: true }>, NotFound | NotMet<T, 'version' | 'condition'>> {
    return this.#plan(
      fence,
      identity,
      deletePlan(this.#table, identity, checkOptions(options, conditionOptions)),
    );
  }

  /**
   * Lets the transaction through only if no newer holder has written this item, it is there (or is not, with
   * `absent`), and `when` and `ifVersion` hold. It writes nothing: the item's fence is not raised. On an item that
   * another step writes, it becomes part of that step.
   *
   * @throws InvalidInputError where an option cannot work, or the fence is for another resource.
   */
  check(
    fence: Fence,
    identity: Pick<T, K>,
    options?: CheckOptions<T>,
  ): Plan<undefined, NotFound | NotMet<T, 'exists' | 'version' | 'condition'>> {
    return this.#plan(
      fence,
      identity,
      checkPlan(this.#table, identity, checkOptions(options, checkPlanOptions)),
    );
  }

  /** Reads an item, for `transactGet`. */
  get(identity: Pick<T, K>): ReadPlan<Versioned<T> | undefined> {
    const table = this.#table;
    const key = table.keyOf(identity);
    return { wire: table.wire, tableName: table.tableName, key, found: (item) => table.view(item) };
  }

  #put(fence: Fence, item: T, options: ConditionOptions<T> & { readonly as: 'put' | 'create' }) {
    const valid = validate(this.#schema, item);
    if (valid instanceof Promise) {
      valid.catch(() => undefined);
      throw new InvalidInputError(
        'schema',
        'it answers later, and a plan is made at once',
        'Validate the item before, and plan with a repository without this schema.',
      );
    }
    return this.#plan(fence, valid, putPlan(this.#table, valid, options));
  }

  #plan<Done, Refused>(
    fence: Fence,
    identity: Pick<T, K>,
    action: WritePlan<Done, Refused> | CheckPlan<Refused>,
  ): Plan<Done, Refused> {
    this.#table.checkFence(fence, identity);
    return { fence, wire: this.#table.wire, action };
  }
}
