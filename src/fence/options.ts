import { checkSignal } from './abort-signal.ts';
import type { CallOptions } from './call-options.ts';
import { describe } from './describe.ts';
import { checkDuration } from './duration.ts';
import { InvalidInputError } from './errors.ts';

/** What each option must be: called with the value and the option's name, where one is given. It throws. */
export type OptionChecks<O> = { readonly [Name in keyof O]-?: (value: never, path: string) => unknown };

/**
 * The one check of the options of every call: that they are an object, that each is known, and that it is what it must be. A
 * name that nobody reads would be dropped in silence, and `{ ifversion }` would be no condition.
 *
 * @param checks one for each option that there is; `anything` for those that are checked where they are used.
 * @param path what the object itself is called in errors.
 * @returns the options; an empty object where none were passed.
 */
export function checkOptions<O extends object>(
  options: O | undefined,
  checks: OptionChecks<NoInfer<O>>,
  path = 'options',
): O {
  if (options === undefined) return {} as O;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new InvalidInputError(
      path,
      `${describe(options)} is no object of options`,
      `Pass an object, with ${known(checks)}, or leave it out.`,
    );
  }
  for (const name of Object.keys(options)) {
    const value = (options as Readonly<Record<string, never>>)[name];
    if (!Object.hasOwn(checks, name)) throw unknown(name, checks);
    if (value !== undefined) checks[name as keyof O](value as never, name);
  }
  return options;
}

function unknown(name: string, checks: object): InvalidInputError {
  const meant = Object.keys(checks).find((option) => option.toLowerCase() === name.toLowerCase());
  return new InvalidInputError(
    name,
    'there is no such option here',
    meant === undefined ? `There are ${known(checks)}.` : `Did you mean ${meant}?`,
  );
}

function known(checks: object): string {
  return Object.keys(checks).join(', ');
}

/** The check of an option that is checked where it is used. */
export function anything(): void {}

/** The check of an option whose names are the caller's own. */
export function checkRecord(value: unknown, path: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new InvalidInputError(path, `${describe(value)} is no object`, 'Pass an object, or leave it out.');
}

/** The check of an option that must be able to do something: that it has these methods. */
export function able(methods: readonly string[], advice: string) {
  return (value: unknown, path: string): void => {
    const lacks = methods.find(
      (name) => typeof (value as Record<string, unknown> | null)?.[name] !== 'function',
    );
    if (lacks !== undefined) throw new InvalidInputError(path, `it has no ${lacks}()`, advice);
  };
}

/** The check of an option that is a function. */
export function callable(value: unknown, path: string): void {
  if (typeof value === 'function') return;
  throw new InvalidInputError(path, `${describe(value)} cannot be called`, 'Pass a function.');
}

/**
 * For options that make a call stricter: where one is passed and undefined, as a variable that nobody has set, the call would be
 * as lax as without it.
 */
export function refuseUndefined(options: object | undefined, ...names: readonly string[]): void {
  for (const name of names) {
    if (options === undefined || !Object.hasOwn(options, name)) continue;
    if ((options as Readonly<Record<string, unknown>>)[name] !== undefined) continue;
    throw new InvalidInputError(name, 'it is undefined', 'Pass one, or leave the option out to go without.');
  }
}

export function flag(value: unknown, path: string): void {
  if (typeof value === 'boolean') return;
  throw new InvalidInputError(path, `${describe(value)} is neither true nor false`, 'Pass one of them.');
}

/** What bounds a call. */
export const callOptions: OptionChecks<CallOptions> = { timeoutMs: checkDuration, signal: checkSignal };
