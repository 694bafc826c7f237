import { randomUUID } from 'node:crypto';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe } from 'vitest';
import type { TableDefinition } from '../../src/testing/index.ts';
import { allEngines, type EngineName, type RunningEngine } from './engines.ts';

/** An engine as a suite sees it. Everything but the first two works inside tests and hooks only. */
export interface EngineUnderTest {
  readonly name: EngineName;
  readonly returnsItems: boolean;
  readonly running: RunningEngine;
  client(options?: DynamoDBClientConfig): DynamoDBClient;
  /** Creates a table under a name of its own, `tableName` if that is given, and returns the name. */
  table(definition: Omit<TableDefinition, 'tableName'> & { readonly tableName?: string }): Promise<string>;
}

/**
 * Describes a suite once per engine. The engine is started before the suite's first test and stopped after its
 * last; an engine that is not installed is reported as skipped, by its name.
 *
 *     describeEachEngine('update', (engine) => {
 *       let tableName: string;
 *       beforeEach(async () => {
 *         tableName = await engine.table({ partitionKey: 'id' });
 *       });
 *       it('adds', async () => {
 *         const client = engine.client({ requestHandler: faults(engine.running.handler, []) });
 *         …
 *       });
 *     });
 *
 * @param options `only`: the engines to run on, where a suite has no meaning on the others.
 */
export function describeEachEngine(
  title: string,
  suite: (engine: EngineUnderTest) => void,
  options: { readonly only?: readonly EngineName[] } = {},
): void {
  for (const engine of allEngines) {
    if (options.only?.includes(engine.name) === false) continue;
    if (!engine.isInstalled) {
      describe.skipIf(true)(`${title} [${engine.name}: not installed, see scripts/install-engines.mjs]`, () =>
        suite(underTest(engine, notRunning)),
      );
      continue;
    }
    describe(`${title} [${engine.name}]`, () => {
      let running: RunningEngine | undefined;
      beforeAll(async () => {
        running = await engine.start();
      });
      afterAll(async () => {
        await running?.[Symbol.asyncDispose]();
      });
      suite(underTest(engine, () => running ?? notRunning()));
    });
  }
}

function underTest(
  { name, returnsItems }: Pick<EngineUnderTest, 'name' | 'returnsItems'>,
  running: () => RunningEngine,
): EngineUnderTest {
  return {
    name,
    returnsItems,
    get running() {
      return running();
    },
    client: (options) => running().client(options),
    async table(definition) {
      const tableName = definition.tableName ?? `t-${randomUUID()}`;
      await running().createTable({ ...definition, tableName });
      return tableName;
    },
  };
}

function notRunning(): never {
  throw new Error('The engine is not running yet: use it inside a test or a hook, not while describing.');
}
