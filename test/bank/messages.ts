import type { TableNames } from '../../examples/ledger/tables.ts';
import type { TransferResult } from '../../examples/ledger/transfer-result.ts';
import type { PlannedOrder } from './plan.ts';

/** What a worker is started with. */
export interface WorkerSettings {
  readonly name: string;
  readonly endpoint: string;
  readonly tableNames: TableNames;
  readonly ttlMs: number;
}

/** What a worker is asked for. */
export type Order = Pick<PlannedOrder, 'key' | 'from' | 'to' | 'amount'>;

/** How it went, as far as the worker knows. `unknown`: nobody could be reached, or told. */
export type Answer =
  | { readonly is: 'moved'; readonly replayed: boolean }
  | { readonly is: 'refused'; readonly reason: Refusal }
  | { readonly is: 'unknown'; readonly error: string };

export type Refusal = Extract<TransferResult, { readonly ok: false }>['reason'];

/** What a worker tells. */
export type Message =
  | { readonly is: 'ready'; readonly pid: number }
  | { readonly is: 'done'; readonly answer: Answer };
