import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/documents.mjs';
import { allEngines, engines } from '../engines/engines.ts';
import { withCosts } from './costs/cost-tables.ts';
import { sizes } from './costs/measure.ts';
import { type EngineCosts, measureEngines } from './costs/measure-engines.ts';
import { unitsIn } from './costs/meter.ts';

describe.skipIf(engines.length < 3)(`what each step costs [${allEngines.map(({ name }) => name)}]`, () => {
  let costs: EngineCosts;
  beforeAll(async () => {
    costs = await measureEngines();
  });

  it('docs/costs.md says what the engines count (else: npm run docs:costs)', () => {
    const document = readFileSync(`${root}docs/costs.md`, 'utf8');
    expect(document).toBe(withCosts(document, costs));
  });

  it.each(['`create`', '`put`', '`update`', '`claim`'])('%s: what they count is the rule of AWS', (name) => {
    for (const { items } of Object.values(costs)) {
      const { costs: bySize, hiddenBytes } = items[name]!;
      const documented = Object.values(sizes).map((bytes) => Math.ceil((bytes + hiddenBytes) / 1024));
      expect(bySize.map((cost) => unitsIn(cost, 'write'))).toEqual(documented);
    }
  });

  it('a check costs as much as a write, and both twice in a transaction', () => {
    for (const { items, leases, transactions } of Object.values(costs)) {
      const [single, transacted] = [items['`update`'], transactions['one `update` alone in a transaction']];
      const units = (step: typeof single) => step?.costs.map((cost) => unitsIn(cost, 'write'));
      expect(units(transacted)).toEqual(units(single)?.map((alone) => 2 * alone));
      expect(unitsIn(leases['`leases.check` alone in a transaction']!, 'write')).toBe(2);
    }
  });

  it('the reasons for a refusal cost no read on an engine that shows the item', () => {
    const reads = (name: keyof EngineCosts) =>
      costs[name].items['`update`, refused: `fenced`']!.costs.map((cost) => unitsIn(cost, 'read'));
    expect([reads('local'), reads('local-without-items')]).toEqual([
      [0, 0, 0],
      [1, 1, 2],
    ]);
  });
});
