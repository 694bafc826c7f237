import type { Killed } from './mutants.ts';

const begin = '<!-- mutants: npm run docs:mutants -->';
const end = '<!-- end of mutants -->';

/** A document with the table in its place, between the two markers. */
export function withMutants(document: string, killed: readonly Killed[]): string {
  const [before, , after] = split(document);
  return `${before}${begin}\n\n${table(killed)}\n\n${end}${after}`;
}

function split(document: string): [string, string, string] {
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the document has no «${begin}» and, later, «${end}»`);
  return [document.slice(0, from), document.slice(from, to), document.slice(to + end.length)];
}

function table(killed: readonly Killed[]): string {
  const head = ['left out', 'histories', 'promise that broke', 'states', 'promise that broke'];
  const rows = killed.map(({ name, runs, promise, states, promiseInSearch }) => [
    name.replaceAll('|', '\\|'),
    String(runs),
    promise,
    String(states),
    promiseInSearch,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
