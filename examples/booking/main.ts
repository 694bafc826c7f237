// Two customers and one slot: npx tsx examples/booking/main.ts
import { dynamoTokenSource, LeaseManager } from 'dynamodb-fenced';
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
import { BookingService } from './booking-service.ts';
import { definitions } from './definitions.ts';

// A DynamoDB in this process, so that this runs anywhere. In production: const client = new DynamoDBClient({}).
await using db = await startLocalDynamoDB();
const tableNames = { leases: 'leases', slots: 'slots', bookings: 'bookings', markers: 'markers' };
for (const name of ['leases', 'slots', 'bookings', 'markers'] as const) {
  await db.createTable({ tableName: tableNames[name], ...definitions[name] });
}
const client = db.client();
const source = dynamoTokenSource({ client, tableName: tableNames.leases });
const leases = new LeaseManager({ source, ttlMs: 10_000 });
const service = new BookingService({ client, tableNames, leases });

const startsAtMs = Date.UTC(2026, 2, 2, 9);
await service.offer({ room: 'room-1', startsAtMs, endsAtMs: startsAtMs + 60 * 60_000 });
const [slot] = (await service.free('2026-03-02')).items;
if (slot === undefined) throw new Error('nothing is free');

// Both want it at once.
const [ann, bob] = await Promise.all([service.hold(slot.id, 'ann'), service.hold(slot.id, 'bob')]);
for (const [customer, result] of Object.entries({ ann, bob })) {
  if (!result.ok) {
    console.log(`somebody does not get it: ${result.reason}`);
    continue;
  }
  const confirmed = await service.confirm(result.booking);
  console.log(`somebody gets it: ${confirmed.ok && confirmed.booking.customer === customer}`);
}
console.log(`free slots left: ${(await service.free('2026-03-02')).items.length}`);
