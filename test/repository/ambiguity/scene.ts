import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { systemRandom } from '../../../src/fence/random.ts';
import type { FencedRepositoryOptions } from '../../../src/index.ts';
import type { FaultRule } from '../../../src/testing/index.ts';
import type { EngineUnderTest } from '../../engines/describe-each-engine.ts';
import { type Account, type Accounts, accountsIn } from '../../support/accounts.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';

export type Item = Record<string, AttributeValue>;

/** One table, a repository whose wire goes wrong as the rules say, and one of somebody else whose wire does not. */
export interface Scene extends TestTable {
  readonly accounts: Accounts;
  readonly others: Accounts;
  /** The account that all is about, as it is stored. */
  stored(key?: Item): Promise<Item | undefined>;
  /** The operations that were sent since the last time that this was asked. */
  sent(): readonly string[];
}

export interface SceneOptions extends Partial<FencedRepositoryOptions<Account, 'id'>> {
  readonly rules?: readonly FaultRule[];
  /** Copies of a write that may be sent. Default 4, as the SDK has it for DynamoDB. */
  readonly maxAttempts?: number;
  /** What is stored at first. */
  readonly with?: Item | undefined;
}

/** The pauses between copies have no length, unless a test measures them. */
export const withoutPauses = { ...systemRandom, unit: () => 0 };

export async function scene(engine: EngineUnderTest, options: SceneOptions = {}): Promise<Scene> {
  const { rules = [], maxAttempts = 4, with: item, ...more } = options;
  const table = await testTable(engine);
  table.faults.add(...rules);
  if (item !== undefined) await table.plant(item);
  const client = engine.client({ requestHandler: table.wire, maxAttempts });
  return {
    ...table,
    client,
    accounts: accountsIn({ client, tableName: table.tableName }, { random: withoutPauses, ...more }),
    others: accountsIn({ client: engine.client(), tableName: table.tableName }),
    stored: (key = { id: { S: 'a' } }) => table.stored(key),
    sent() {
      const ops = table.wire.ops;
      table.wire.forget();
      return ops;
    },
  };
}
