import { createRequire } from 'node:module';

/** What dynalite's own parser makes of an update expression: a grammar that nobody here wrote. */
export interface ParsedUpdate {
  readonly sections: readonly unknown[];
  readonly paths: readonly (readonly (string | number)[])[];
}

interface Context {
  readonly attrNames: Readonly<Record<string, string>>;
  readonly attrVals: Readonly<Record<string, unknown>>;
  readonly unusedAttrNames: object;
  readonly unusedAttrVals: object;
  isReserved(name: string): boolean;
}

const parser: { parse(expression: string, options: { context: Context }): ParsedUpdate | string } =
  createRequire(import.meta.url)('dynalite/db/updateParser');

export function parseUpdate(
  expression: string,
  attrNames: Readonly<Record<string, string>>,
  attrVals: Readonly<Record<string, unknown>>,
): ParsedUpdate {
  const isReserved = (name: string) => ['SET', 'REMOVE', 'ADD', 'DELETE'].includes(name.toUpperCase());
  const context = { attrNames, attrVals, unusedAttrNames: {}, unusedAttrVals: {}, isReserved };
  const parsed = parser.parse(expression, { context });
  if (typeof parsed === 'string') throw new Error(`${parsed}: ${expression}`);
  return parsed;
}
