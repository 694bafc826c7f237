import { type EngineName, engines } from '../../engines/engines.ts';
import { type Costs, measureCosts } from './measure.ts';

/** What every engine says. */
export type EngineCosts = Readonly<Record<EngineName, Costs>>;

/** @throws where an engine is not installed: the document needs what all of them say. */
export async function measureEngines(): Promise<EngineCosts> {
  const measured: Partial<Record<EngineName, Costs>> = {};
  for (const engine of engines) {
    await using running = await engine.start();
    measured[engine.name] = await measureCosts(running);
  }
  const { local, 'local-without-items': withoutItems, dynoxide } = measured;
  if (local === undefined || withoutItems === undefined || dynoxide === undefined) {
    throw new Error('all engines are needed: node scripts/install-engines.mjs, and no TEST_ENGINES');
  }
  return { local, 'local-without-items': withoutItems, dynoxide };
}
