import { markdownTable, withGenerated } from '../../../scripts/generated.mjs';
import { plainUpdate } from './item-steps.ts';
import { type Costs, type SizedCost, sizes } from './measure.ts';
import type { EngineCosts } from './measure-engines.ts';
import { type Cost, unitsIn } from './meter.ts';

/** docs/costs.md with all tables in their places. */
export function withCosts(document: string, engines: EngineCosts): string {
  const { local } = engines;
  const base = local.items[plainUpdate]?.costs ?? [];
  const tables = {
    'costs of items': sizedTable(local.items, base),
    'costs of transactions': sizedTable(local.transactions, base),
    'costs of leases': leaseTable(local.leases),
    'costs without items': differences(local, engines['local-without-items']),
    'costs on dynoxide': differences(local, engines.dynoxide),
  };
  return Object.entries(tables).reduce((text, [name, table]) => withGenerated(text, name, table), document);
}

function sizedTable(steps: Readonly<Record<string, SizedCost>>, base: readonly Cost[]): string {
  const names = Object.keys(sizes).join(' · ');
  const head = ['', 'requests', `WCU, ${names}`, '× plain update', `RCU, ${names}`, 'hidden bytes'];
  const rows = Object.entries(steps).map(([name, { costs, hiddenBytes }]) => [
    name,
    requests(...costs),
    series(costs, writes),
    series(costs, (cost, n) => ratio(unitsIn(cost, 'write'), unitsIn(base[n] ?? [], 'write'))),
    series(costs, readUnits),
    hiddenBytes === 0 ? '' : `${hiddenBytes}`,
  ]);
  return markdownTable(head, rows);
}

function leaseTable(steps: Readonly<Record<string, Cost>>): string {
  const rows = Object.entries(steps).map(([name, cost]) => [
    name,
    requests(cost),
    writes(cost),
    readUnits(cost),
  ]);
  return markdownTable(['', 'requests', 'WCU', 'RCU'], rows);
}

/** The steps that another engine counts differently: what the tables above say, and what it says. */
function differences(local: Costs, other: Costs): string {
  const told = counted(local);
  const rows = Object.entries(counted(other)).flatMap(([name, said]) => {
    const cells = said.map((cell, n) => (cell === told[name]?.[n] ? cell : `${told[name]?.[n]} → ${cell}`));
    return cells.some((cell, n) => cell !== said[n]) ? [[name, ...cells]] : [];
  });
  return markdownTable(['', 'requests', 'WCU', 'RCU'], rows);
}

function counted({ items, transactions, leases }: Costs): Record<string, readonly string[]> {
  const all: Record<string, readonly Cost[]> = {};
  for (const [name, { costs }] of Object.entries({ ...items, ...transactions })) all[name] = costs;
  for (const [name, cost] of Object.entries(leases)) all[name] = [cost];
  return Object.fromEntries(
    Object.entries(all).map(([name, costs]) => [
      name,
      [requests(...costs), costs.map(writes).join(' · '), costs.map(readUnits).join(' · ')],
    ]),
  );
}

function requests(...costs: readonly Cost[]): string {
  const counts = new Set(costs.map((cost) => cost.length));
  if (counts.size > 1) throw new Error('the number of requests depends on the size of the item');
  return [...counts].join('');
}

// A star where nobody told.
function writes(cost: Cost): string {
  return `${unitsIn(cost, 'write')}${cost.some(({ byRule }) => byRule) ? '*' : ''}`;
}

const readUnits = (cost: Cost) => `${unitsIn(cost, 'read')}`;

/** One cell for all sizes; empty where none of them costs anything. */
function series(costs: readonly Cost[], show: (cost: Cost, n: number) => string): string {
  const shown = costs.map(show);
  return shown.every((one) => one === '0' || one === '') ? '' : shown.join(' · ');
}

function ratio(units: number, base: number): string {
  return units === 0 ? '' : String(Math.round((units / base) * 10) / 10);
}
