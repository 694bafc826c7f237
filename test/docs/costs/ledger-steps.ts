import { definitions } from '../../../examples/ledger/definitions.ts';
import { Ledger } from '../../../examples/ledger/ledger.ts';
import type { RunningEngine } from '../../engines/engines.ts';
import type { Banks } from './bank.ts';
import type { Cost } from './meter.ts';

/** What the service of `examples/ledger` sends for each of its steps. */
export async function ledgerCosts(engine: RunningEngine, banks: Banks): Promise<Record<string, Cost>> {
  const tableNames = {
    leases: 'leases',
    accounts: 'ledger-accounts',
    entries: 'ledger-entries',
    lines: 'ledger-lines',
  };
  for (const name of ['accounts', 'entries', 'lines'] as const) {
    await engine.createTable({ ...definitions[name], tableName: tableNames[name] });
  }
  const { meter, leases, clock } = banks;
  const ledger = new Ledger({ client: meter.client, tableNames, leases, clock });
  const opening = await meter.costOf(() => ledger.open({ id: 'ann', currency: 'EUR', limit: -100 }));
  await ledger.open({ id: 'bob', currency: 'EUR' });
  const transfer = async (replayed: boolean) => {
    const result = await ledger.transfer('ann', 'bob', 5, 'order-1');
    if (!result.ok || result.replayed !== replayed)
      throw new Error(`not as meant: ${JSON.stringify(result)}`);
  };
  return {
    'ledger, `open` as a whole': opening,
    'ledger, `transfer` as a whole': await meter.costOf(() => transfer(false)),
    'ledger, `transfer` with a key that was used': await meter.costOf(() => transfer(true)),
    'ledger, `statement` of one line': await meter.costOf(() => ledger.statement('ann')),
  };
}
