import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';

/**
 * The environment variables of functions, beside those of {@link tableVariable}: the construct `FencedFunction` sets them, and
 * handlers read them.
 */
export const environmentVariables = {
  /** The namespace of the metrics in CloudWatch, for `emfTo`. */
  metricsNamespace: 'FENCING_METRICS_NAMESPACE',
  /** The ARN of the secret that fences are sealed with. Never the secret. */
  sequencerSecret: 'SEQUENCER_SECRET_ARN',
} as const;

/**
 * The environment variable that has the name of a table.
 *
 * @param name what the program calls the table, as `accounts` or `auditLines`.
 * @returns `ACCOUNTS_TABLE`, `AUDIT_LINES_TABLE`.
 * @throws InvalidInputError where the name has other characters than letters and digits, so that two could become one variable.
 * @example
 * process.env[tableVariable('accounts')]; // process.env.ACCOUNTS_TABLE
 */
export function tableVariable(name: string): string {
  if (/^[a-z][A-Za-z0-9]*$/.test(name)) {
    return `${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_TABLE`;
  }
  throw new InvalidInputError(
    'name',
    `${describe(name)} cannot be part of an environment variable`,
    'Name tables in letters and digits, as accounts or auditLines, beginning with a small letter.',
  );
}

/**
 * The names of tables, as the environment of a function has them. Call it outside of the handler: a function that was deployed
 * without one of its tables then fails before its first event.
 *
 * @param names what the program calls its tables.
 * @param env the environment. Default `process.env`.
 * @returns what each is called in DynamoDB. Costs no request.
 * @throws InvalidInputError for a variable that is missing or empty: it says which.
 * @example
 * const { leases, accounts } = tableNamesFrom(['leases', 'accounts']); // of LEASES_TABLE and ACCOUNTS_TABLE
 */
export function tableNamesFrom<Name extends string>(
  names: readonly Name[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<Name, string> {
  const found = names.map((name) => [name, required(tableVariable(name), env)] as const);
  return Object.fromEntries(found) as Record<Name, string>;
}

function required(variable: string, env: Readonly<Record<string, string | undefined>>): string {
  const value = env[variable];
  if (value !== undefined && value !== '') return value;
  throw new InvalidInputError(
    `env.${variable}`,
    'there is no such table in the environment of this function',
    `Set ${variable} to the name of the table; the construct FencedFunction does it for the tables that it is given.`,
  );
}
