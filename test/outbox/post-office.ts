import {
  type Delivery,
  dynamoTokenSource,
  LeaseManager,
  Outbox,
  outboxTable,
  transact,
  unwrap,
} from '../../src/index.ts';
import { manualClock, seededRandom } from '../../src/testing/index.ts';
import type { EngineUnderTest } from '../engines/describe-each-engine.ts';
import { accountsIn } from '../support/accounts.ts';
import { testTable } from '../support/test-table.ts';

export const TTL_MS = 2_000;

export interface Mail {
  readonly text: string;
}

/** Accounts whose changes are told by mail, on an engine, and the processes that work there. */
export async function postOffice(engine: EngineUnderTest) {
  const clock = manualClock();
  const leaseTable = await testTable(engine, { partitionKey: 'resource' });
  const accountTable = await testTable(engine);
  const table = await testTable(engine, outboxTable);
  const client = engine.client({ requestHandler: table.wire });
  const shared = { client, clock };
  const outbox = new Outbox<Mail>({ ...shared, tableName: table.tableName });
  const accounts = accountsIn({ client, tableName: accountTable.tableName }, { clock });
  const source = dynamoTokenSource({ ...shared, tableName: leaseTable.tableName });
  let seed = 0;
  const process = (holder: string) =>
    new LeaseManager({ source, ttlMs: TTL_MS, holder, clock, random: seededRandom(++seed) });
  const writer = process('writer');
  return {
    ...table,
    client,
    clock,
    outbox,
    accounts,
    process,
    leaseTable: leaseTable.tableName,
    /** Changes an account and tells so, once per text. */
    async write(id: string, ...texts: readonly string[]) {
      await using lease = unwrap(await writer.acquire(`account/${id}`)).lease;
      for (const text of texts) {
        unwrap(
          await transact({
            account: accounts.plan.put(lease, { id, note: text }),
            mail: outbox.plan(lease, { text }),
            held: writer.check(lease),
          }),
        );
      }
      return lease;
    },
    /** The messages that are in an index. */
    async pendingIn(index: 'unsent' | 'pending') {
      return (await table.storedItems(index)).map((item) => item.position?.S);
    },
  };
}

/** A receiver who remembers what it was told, and tells repetitions by their keys. */
export function receiver() {
  const told: Delivery<Mail>[] = [];
  return {
    told,
    texts: () => told.map(({ message }) => message.text),
    keys: () => told.map(({ key }) => key),
    handler: (delivery: Delivery<Mail>) => {
      told.push(delivery);
    },
  };
}

export const none = { delivered: 0, failed: 0, refused: 0 };
