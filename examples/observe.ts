// What a program of yours hears of what happens inside, on a small bank: a log, and a listener of its own.
import { Metrics } from '@aws-lambda-powertools/metrics';
import { metrics, trace } from '@opentelemetry/api';
import { FencedRepository, fence, LeaseManager, memoryTokenSource, unwrap } from 'dynamodb-fenced';
import { emfTo, logTo, otelTo, subscribe } from 'dynamodb-fenced/observe';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
import { pino } from 'pino';

interface Account {
  id: string;
  balance: number;
}

await using db = await startLocalDynamoDB();
await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
const leases = new LeaseManager({ source: memoryTokenSource(), ttlMs: 10_000 });
const accounts = new FencedRepository<Account, 'id'>({
  client: db.client(),
  tableName: 'accounts',
  key: ['id'],
  resource: ({ id }) => `account/${id}`,
});

// #region log
const logger = pino(); // or the Logger of Powertools for AWS Lambda
const log = logTo(logger, { keys: 'hashed' }); // 'plain', 'hashed', 'omitted', or a function
// #endregion log

// #region subscribe
const alarm = subscribe((event) => {
  if (event.event !== 'refusal' || event.reason !== 'fenced') return;
  console.log(`${event.resource}: ${event.lastHolder} was here with ${event.lastToken}`);
});
// #endregion subscribe

// #region metrics
const counted = emfTo(new Metrics({ namespace: 'bank', serviceName: 'ledger' })); // or emfTo(), on standard output
const traced = otelTo({
  tracer: trace.getTracer('dynamodb-fenced'),
  meter: metrics.getMeter('dynamodb-fenced'),
});
// #endregion metrics

const lease = unwrap(await leases.acquire('account/a1')).lease;
unwrap(await accounts.create(lease, { id: 'a1', balance: 100 }));
await accounts.put(fence('account/a1', lease.token - 1), { id: 'a1', balance: 70 });
await lease.release();

for (const subscription of [alarm, log, counted, traced]) subscription.stop();
