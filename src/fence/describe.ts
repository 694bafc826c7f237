/**
 * A value that a caller gave, for a message: any value, also one that JSON or String() would throw at, and never more
 * than a line of it.
 */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'number' || typeof value === 'bigint') return String(value).slice(0, 80);
  if (typeof value === 'boolean' || value === undefined || value === null) return String(value);
  return `a value of type ${typeof value}`;
}
