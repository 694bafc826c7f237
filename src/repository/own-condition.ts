import { compileConditions } from '../dynamo/conditions.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { ConditionOptions } from './options.ts';

/** The caller's own conditions, as parts of a request and as what the verdict has to know of them. */
export function ownCondition<T>(options: ConditionOptions<T>) {
  if ('ifVersion' in options && (typeof options.ifVersion !== 'string' || options.ifVersion === '')) {
    throw new InvalidInputError(
      'ifVersion',
      `${String(options.ifVersion)} is no version`,
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
  return {
    expressions: when === undefined ? {} : compileConditions(when, 'when'),
    ifVersion,
    conditional: when !== undefined,
  };
}

/** `ifVersion` for functions that do not take undefined for «not given». */
export function versionOption(ifVersion: string | undefined) {
  return ifVersion === undefined ? {} : { ifVersion };
}
