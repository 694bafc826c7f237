import { markdownTable, withGenerated } from '../../scripts/generated.mjs';
import type { Killed } from './mutants.ts';

/** A document with the table in its place. */
export function withMutants(document: string, killed: readonly Killed[]): string {
  const rows = killed.map(({ name, runs, promise, states, promiseInSearch }) => [
    name,
    String(runs),
    promise,
    String(states),
    promiseInSearch,
  ]);
  const head = ['left out', 'histories', 'promise that broke', 'states', 'promise that broke'];
  return withGenerated(document, 'mutants', markdownTable(head, rows));
}
