import type { Operation } from './operations.ts';
import type { Row } from './storage.ts';
import type { TransferOperation, TransferScenario } from './transfer-world.ts';
import type { Scenario } from './world.ts';

/** The four states that an item can be in; whatever is stamped was stamped by an older holder. */
export const starts: Readonly<Record<string, Row | undefined>> = {
  absent: undefined,
  unfenced: { id: { S: 'k' }, balance: { N: '1' } },
  tombstone: { id: { S: 'k' }, _fence: { N: '0' }, _fenceHolder: { S: 'z' }, _fenceSeq: { N: '1' } },
  live: {
    id: { S: 'k' },
    balance: { N: '0' },
    _fence: { N: '0' },
    _fenceHolder: { S: 'z' },
    _fenceSeq: { N: '1' },
    _fenceVersion: { S: '0.1.z' },
  },
};

/** The programs of the holders of tokens 1, 2, 3, and whether unknown outcomes are resolved. */
export interface Cast<What = Operation> {
  readonly programs: readonly (readonly What[])[];
  readonly resolves?: boolean;
}

/** Small casts in which every rule of the protocol is needed. Searched from every start, on engines of both kinds. */
export const casts: readonly Cast[] = [
  { programs: [['add'], ['subtract']] },
  { programs: [['create'], ['add']] },
  { programs: [['delete', 'create']] },
  {
    programs: [
      ['claim', 'overwrite'],
      ['claim', 'overwrite'],
    ],
  },
  { programs: [['upsert', 'upsert'], ['claim']] },
  { programs: [['upsert'], ['delete']] },
  {
    programs: [
      ['add', 'claim'],
      ['claim', 'add'],
    ],
  },
  { programs: [['add']], resolves: true },
  { programs: [['subtract'], ['claim']], resolves: true },
];

/** Three holders, one after the other, each of whom the next one makes a zombie. */
export const castsOfThree: readonly Cast[] = [
  { programs: [['add'], ['put'], ['claim']] },
  { programs: [['create'], ['claim', 'overwrite'], ['delete']] },
  { programs: [['upsert'], ['subtract'], ['claim', 'overwrite']] },
  { programs: [['delete'], ['create'], ['add']] },
  { programs: [['put'], ['delete'], ['create']] },
];

export function scenario(start: Row | undefined, { programs, resolves = false }: Cast): Scenario {
  const writers = programs.map((program, n) => ({ token: n + 1, holder: 'abc'[n] as string, program }));
  return { start, writers, copies: 2, resolves };
}

/** Casts with transactions; what is there was stamped by an older holder. */
export const transferCasts: readonly Cast<TransferOperation>[] = [
  { programs: [['transfer']], resolves: true },
  { programs: [['transfer', 'transfer']] },
  { programs: [['transfer'], ['transfer']] },
  { programs: [['transfer'], ['put']] },
  { programs: [['put'], ['transfer']] },
  { programs: [['transfer'], ['claim', 'transfer']] },
  { programs: [['put'], ['transfer'], ['claim']] },
];

export function transferScenario({ programs, resolves = false }: Cast<TransferOperation>): TransferScenario {
  const a = { ...starts.live, id: { S: 'a' }, balance: { N: '1' } };
  return { start: { a, b: undefined }, programs, resolves };
}
