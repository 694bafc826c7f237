import type { StandardSchemaV1 } from '@standard-schema/spec';
import { below } from '../dynamo/text.ts';
import { abortable } from '../fence/abortable.ts';
import type { Deadline } from '../fence/deadline.ts';
import { InvalidInputError, UnavailableError } from '../fence/errors.ts';
import { snapshot } from './snapshot.ts';

/**
 * Checks an item against a Standard Schema. Answers at once where the schema does, so that writes keep the
 * order in which they were called.
 *
 * @returns what the schema outputs.
 * @throws InvalidInputError with every issue and where it lies.
 */
export function validate<T>(schema: StandardSchemaV1<unknown, T> | undefined, item: T): T | Promise<T> {
  if (schema === undefined) return item;
  // What is checked is what is stored, whatever becomes of the item while a schema takes its time.
  const result = schema['~standard'].validate(snapshot(item));
  // Promises of another realm are promises too.
  return isPromise(result) ? Promise.resolve(result).then(outputOf) : outputOf(result);
}

/**
 * Waits for a schema that answers later, within the bounds of the call that asked it.
 *
 * @throws UnavailableError where the deadline comes first; the reason of the caller's signal where that does.
 */
export async function validatedBefore<T>(deadline: Deadline, checked: Promise<T>): Promise<T> {
  try {
    const valid = await abortable(checked, deadline.signal);
    if (!deadline.over) return valid;
  } catch (error) {
    if (!deadline.over) throw error;
  }
  if (deadline.abortedByCaller) throw deadline.signal.reason;
  throw new UnavailableError(
    `The item was not sent: its schema took the whole ${deadline.timeoutMs} ms of the call.`,
    {
      cause: deadline.signal.reason,
      advice: 'Call again, with a longer timeoutMs if the schema needs more time.',
    },
  );
}

/** @throws InvalidInputError where it is no Standard Schema. */
export function checkSchema<S extends StandardSchemaV1>(schema: S | undefined): S | undefined {
  if (schema === undefined || typeof schema?.['~standard']?.validate === 'function') return schema;
  throw new InvalidInputError(
    'schema',
    'this is no Standard Schema',
    'Pass a schema of zod, valibot, arktype or another library that implements it (standardschema.dev), or leave it out.',
  );
}

function isPromise<R>(result: R | Promise<R>): result is Promise<R> {
  return typeof result === 'object' && result !== null && 'then' in result;
}

function checkAnswer(result: unknown): void {
  if (typeof result === 'object' && result !== null) {
    const { issues } = result as { readonly issues?: unknown };
    if (issues === undefined ? 'value' in result : Array.isArray(issues)) return;
  }
  throw new InvalidInputError(
    'schema',
    'it answered neither with a value nor with a list of issues',
    'Correct its validate function: a Standard Schema returns { value } or { issues }.',
  );
}

function outputOf<T>(result: StandardSchemaV1.Result<T>): T {
  checkAnswer(result);
  if (result.issues === undefined) return result.value;
  const [first] = result.issues;
  const all = result.issues.map(({ message, path }) => `${pathText(path)}: ${message}`).join('; ');
  throw new InvalidInputError(
    pathText(first?.path),
    `the schema refuses it (${all})`,
    'Correct the item: nothing was sent.',
  );
}

function pathText(path: StandardSchemaV1.Issue['path'] = []): string {
  return path
    .map((segment) => (typeof segment === 'object' ? segment.key : segment))
    .reduce<string>(
      (text, key) => (typeof key === 'number' ? `${text}[${key}]` : below(text, String(key))),
      'item',
    );
}
