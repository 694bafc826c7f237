// One of the two processes: node holder.ts <name> <endpoint> <lease in ms> <source> <address>. Takes orders from its parent.
import { once } from 'node:events';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoTokenSource, LeaseManager, type TokenSource } from 'dynamodb-fenced';
import { type LogLine, logTo } from 'dynamodb-fenced/observe';
import { leasesTable } from './accounts.ts';
import type { Message, Order, Withdrawal } from './messages.ts';
import { lockServices } from './token-sources.ts';
import { withdraw } from './withdraw.ts';

const [holder = '', endpoint = '', ttlMs, sourceName = 'dynamodb', address = ''] = process.argv.slice(2);
const client = new DynamoDBClient({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
const source: TokenSource =
  sourceName === 'dynamodb'
    ? dynamoTokenSource({ client, tableName: leasesTable })
    : await lockServices[sourceName as keyof typeof lockServices].open(address, Number(ttlMs));
const leases = new LeaseManager({ source, ttlMs: Number(ttlMs), holder });

// In production: logTo(pino()).
const lines: LogLine[] = [];
const note = (line: LogLine) => lines.push(line);
logTo({ debug: note, info: note, warn: note, error: note });

process.on('message', (order: Order) => {
  if (order.do === 'withdraw') void carryOut(order.withdrawal);
});
tell({ is: 'ready', pid: process.pid });

async function carryOut(withdrawal: Withdrawal): Promise<void> {
  try {
    const outcome = await withdraw({ client, leases }, withdrawal, async () => {
      tell({ is: 'about-to-write' });
      // The next order is to go on. It may have to wait for this process to be continued.
      await once(process, 'message');
    });
    tell({ is: 'done', outcome: { ...outcome, log: lines.splice(0) } });
  } catch (error) {
    tell({ is: 'failed', error: String(error) });
  }
}

function tell(message: Message): void {
  process.send?.(message);
}
