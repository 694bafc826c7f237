import type { LogLine } from 'dynamodb-fenced/observe';

/** What the demo shows of a line. The rest is what its tables, keys and requests are called, and what each step took. */
const shown = ['event', 'resource', 'token', 'holder', 'reason', 'lastToken', 'lastHolder', 'applied'];

/** A line of the log in logfmt, which is shorter than JSON. */
export function logLine(line: LogLine): string {
  const time = new Date(Number(line.atMs)).toISOString().slice(11, 23);
  const known = shown.filter((name) => line[name] !== undefined);
  return [time, ...known.map((name) => `${name}=${line[name]}`)].join(' ');
}
