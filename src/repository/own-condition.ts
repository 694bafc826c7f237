import { compileConditions } from '../dynamo/conditions.ts';
import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { ConditionOptions } from './options.ts';
import type { Table } from './table.ts';

/** The caller's own conditions, as parts of a request and as what the verdict has to know of them. */
export function ownCondition<T extends object, K extends keyof T>(
  table: Table<T, K>,
  options: ConditionOptions<T>,
) {
  if ('ifVersion' in options && (typeof options.ifVersion !== 'string' || options.ifVersion === '')) {
    throw new InvalidInputError(
      'ifVersion',
      `${describe(options.ifVersion)} is no version`,
      'Pass the version that a read or a write returned, or leave the option out to write whatever is there.',
    );
  }
  if ('when' in options && options.when === undefined) {
    throw new InvalidInputError(
      'when',
      'it is undefined',
      'Pass conditions, or leave the option out to write unconditionally.',
    );
  }
  const { when, ifVersion } = options;
  const expressions = when === undefined ? {} : compileConditions(when, 'when');
  table.refuseHidden(expressions, 'when');
  return {
    expressions,
    ifVersion,
    conditional: when !== undefined,
  };
}

/** Refuses conditions that no item could ever meet. A program without types may pass them. */
export function refuseConditions(options: object, problem: string, advice: string): void {
  for (const name of ['when', 'ifVersion']) {
    if (name in options) throw new InvalidInputError(name, problem, advice);
  }
}

/** `ifVersion` for functions that do not take undefined for «not given». */
export function versionOption(ifVersion: string | undefined) {
  return ifVersion === undefined ? {} : { ifVersion };
}
