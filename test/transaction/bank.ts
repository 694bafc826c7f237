import type { Fence } from '../../src/index.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';
import { type Item, type Scene, type SceneOptions, scene } from '../repository/ambiguity/scene.ts';
import { account } from '../support/accounts.ts';
import { granted } from '../support/fences.ts';

export type { Item };

/** A table of accounts, a repository whose wire goes wrong as the rules say, and one of somebody else. */
export interface Bank extends Omit<Scene, 'stored'> {
  /** What is stored of an account. */
  stored(id: string): Promise<Item | undefined>;
  /** The transactions that were sent, as they went over the wire. */
  transactions(): readonly Sent[];
}

/** A TransactWriteItems as it went over the wire. */
export interface Sent {
  readonly ClientRequestToken: string;
  readonly ReturnConsumedCapacity: string;
  readonly TransactItems: readonly Readonly<Record<string, Item>>[];
}

export interface BankOptions extends Omit<SceneOptions, 'with'> {
  /** The accounts that are stored at first. */
  readonly with?: readonly Item[];
}

export async function bank(engine: EngineUnderTest, options: BankOptions = {}): Promise<Bank> {
  const { with: items = [], ...more } = options;
  const table = await scene(engine, more);
  await table.plant(...items);
  return {
    ...table,
    stored: (id) => table.stored({ id: { S: id } }),
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
