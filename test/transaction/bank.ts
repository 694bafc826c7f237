import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../src/fence/clock.ts';
import type { Fence, FencedRepositoryOptions } from '../../src/index.ts';
import type { FaultRule } from '../../src/testing/index.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';
import { withoutPauses } from '../repository/ambiguity/scene.ts';
import { type Account, type Accounts, account, accountsIn } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';
import { type TestTable, testTable } from '../support/test-table.ts';

export type Item = Record<string, AttributeValue>;

/** A table of accounts, and what two transfers of one test need. */
export interface Bank extends TestTable {
  readonly accounts: Accounts;
  /** Somebody else's repository, whose wire has no faults. */
  readonly others: Accounts;
  /** What is stored of an account. */
  stored(id: string | Item): Promise<Item | undefined>;
  /** The operations that were sent since the last time that this was asked. */
  sent(): readonly string[];
  /** The transactions among them, as they were sent. */
  transactions(): readonly Sent[];
}

/** A TransactWriteItems as it went over the wire. */
export interface Sent {
  readonly ClientRequestToken: string;
  readonly ReturnConsumedCapacity: string;
  readonly TransactItems: readonly Readonly<Record<string, Item>>[];
}

export interface BankOptions extends Partial<FencedRepositoryOptions<Account, 'id'>> {
  readonly rules?: readonly FaultRule[];
  readonly with?: readonly Item[];
  readonly clock?: Clock;
  readonly maxAttempts?: number;
}

export async function bank(engine: EngineUnderTest, options: BankOptions = {}): Promise<Bank> {
  const { rules = [], with: items = [], maxAttempts = 4, ...more } = options;
  const table = await testTable(engine);
  table.faults.add(...rules);
  await table.plant(...items);
  const client = engine.client({ requestHandler: table.wire, maxAttempts });
  return {
    ...table,
    client,
    accounts: accountsIn({ client, tableName: table.tableName }, { random: withoutPauses, ...more }),
    others: accountsIn({ client: engine.client(), tableName: table.tableName }),
    stored: (id) => table.stored(typeof id === 'string' ? { id: { S: id } } : id),
    sent() {
      const { ops } = table.wire;
      table.wire.forget();
      return ops;
    },
    transactions: () =>
      table.wire.requests
        .filter(({ op }) => op === 'TransactWriteItems')
        .map(({ input }) => input as unknown as Sent),
  };
}

/** An account as it was written before the tests, by a holder of token 40. */
export function open(id: string, balance: number): Item {
  return written(id, balance, { token: 40, holder: `before-${id}` }, 1);
}

type Writer = { readonly token: number; readonly holder: string };

export function stamp({ token, holder }: Writer, seq: number): Item {
  return { _fence: { N: `${token}` }, _fenceHolder: { S: holder }, _fenceSeq: { N: `${seq}` } };
}

/** An account as a write left it. */
export function written(id: string, balance: number, by: Writer, seq: number): Item {
  return {
    id: { S: id },
    balance: { N: `${balance}` },
    ...stamp(by, seq),
    _fenceVersion: { S: versionBy(by, seq) },
  };
}

export const versionBy = ({ token, holder }: Writer, seq: number) => `${token}.${seq}.${holder}`;

/** Leases on some accounts. */
export function leasesOn<const Ids extends readonly string[]>(token: number, ids: Ids) {
  return ids.map((id) => granted(account(id), token)) as { readonly [N in keyof Ids]: Fence };
}
