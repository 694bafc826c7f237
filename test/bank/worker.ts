// A process of the bank: node worker.ts <settings>. Carries out one order after the other, as its parent asks.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ledgerOf, tryOut } from './ledger-of.ts';
import type { Message, Order, WorkerSettings } from './messages.ts';

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings;
const client = new DynamoDBClient({
  endpoint: settings.endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
const ledger = ledgerOf(client, settings);
const tell = (message: Message) => process.send?.(message);

// A fault that is no outcome ends the process, which its parent notices.
process.on('message', async (order: Order) => tell({ is: 'done', answer: await tryOut(ledger, order) }));
tell({ is: 'ready', pid: process.pid });
