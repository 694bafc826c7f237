import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoTokenSource, isOutcomeUnknown, LeaseManager } from 'dynamodb-fenced';
import { Ledger } from '../../examples/ledger/ledger.ts';
import type { Answer, Order, WorkerSettings } from './messages.ts';

/** The ledger, as each process of the bank has it. */
export function ledgerOf(
  client: DynamoDBClient,
  { name, tableNames, ttlMs }: Omit<WorkerSettings, 'endpoint'>,
): Ledger {
  const source = dynamoTokenSource({ client, tableName: tableNames.leases });
  const leases = new LeaseManager({ source, ttlMs, holder: name });
  return new Ledger({ client, tableNames, leases, waitMs: 2 * ttlMs });
}

// A stopped process has to be fenced when it goes on, rather than be out of time.
const timeoutMs = 60_000;

/** One try of a transfer. */
export async function tryOut(ledger: Ledger, { key, from, to, amount }: Order): Promise<Answer> {
  try {
    const result = await ledger.transfer(from, to, amount, key, { timeoutMs });
    return result.ok ? { is: 'moved', replayed: result.replayed } : { is: 'refused', reason: result.reason };
  } catch (error) {
    if (isOutcomeUnknown(error)) return { is: 'unknown', error: error.message };
    if ((error as { code?: unknown }).code === 'unavailable') return { is: 'unknown', error: String(error) };
    throw error;
  }
}
