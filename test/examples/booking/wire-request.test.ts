import { expect, it } from 'vitest';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import type { Sent } from '../../transaction/bank.ts';
import { readable } from '../../transaction/readable.ts';
import { booked, HOLD_MS, type Office, office, place, slotId } from './office.ts';

const nine = slotId('r1', 9);
const { startsAtMs } = place('r1', 9);

/** The only transaction since the wire was forgotten, action by action. */
function sent({ wire }: Office) {
  const transactions = wire.requests.filter(({ op }) => op === 'TransactWriteItems');
  expect(transactions).toHaveLength(1);
  const [{ ClientRequestToken, TransactItems }] = transactions.map(
    ({ input }) => input as unknown as Sent,
  ) as [Sent];
  expect(ClientRequestToken).toMatch(/^[\w-]{36}$/);
  return TransactItems.map(readable);
}

const by = (token: number, holder: unknown) =>
  `(attribute_not_exists(_fence) OR _fence < ${token} OR (_fence = ${token} AND _fenceHolder = '${holder}' AND _fenceSeq < 1))`;
const live = (key: string) =>
  `(attribute_exists(_fenceVersion) OR (attribute_exists(${key}) AND attribute_not_exists(_fence)))`;
const absent = (key: string) =>
  `(attribute_not_exists(${key}) OR (attribute_exists(_fence) AND attribute_not_exists(_fenceVersion)))`;
const stands = (token: number, holder: unknown) => `token = ${token} AND holder = '${holder}'`;

describeEachEngine('what is sent', (engine) => {
  it('to hold a slot: it, the booking, a marker per quarter of an hour, and both leases', async () => {
    const world = await office(engine);
    const service = world.process('p');
    await service.offer(place('r1', 9, 9.5));
    world.wire.forget();
    const { token } = booked(await service.hold(nine, 'ann'));
    const [slot, booking, first, second, slotLease, customerLease, ...more] = sent(world);
    expect(more).toEqual([]);
    const [stored] = await world.stored('slots');
    const holder = stored?._fenceHolder?.S;
    const [marker] = await world.stored('markers');
    const customerHolder = marker?._fenceHolder?.S;
    const customerToken = Number(marker?._fence?.N);
    const until = world.clock.now() + HOLD_MS;
    expect(slot).toMatchObject({
      kind: 'Update',
      TableName: world.names.slots,
      Key: { id: { S: nine } },
      ConditionExpression: `${by(token, holder)} AND ${live('id')} AND (status = 'free')`,
      UpdateExpression: expect.stringContaining(`heldUntilMs = ${until}`),
    });
    expect(booking).toMatchObject({
      kind: 'Put',
      TableName: world.names.bookings,
      ConditionExpression: `${by(token, holder)} AND ${absent('slot')}`,
    });
    for (const [n, one] of [first, second].entries()) {
      expect(one).toMatchObject({
        kind: 'Put',
        TableName: world.names.markers,
        Item: { customer: { S: 'ann' }, atMs: { N: `${startsAtMs + n * 15 * 60_000}` }, slot: { S: nine } },
        ConditionExpression: `${by(customerToken, customerHolder)} AND ${absent('customer')}`,
      });
    }
    expect([slotLease, customerLease]).toMatchObject([
      {
        ...{
          kind: 'ConditionCheck',
          TableName: world.names.leases,
          Key: { resource: { S: `slot/${nine}` } },
        },
        ConditionExpression: stands(token, holder),
      },
      {
        ...{
          kind: 'ConditionCheck',
          TableName: world.names.leases,
          Key: { resource: { S: 'customer/ann' } },
        },
        ConditionExpression: stands(customerToken, customerHolder),
      },
    ]);
  });

  it('to confirm it: the slot as it was held and not a moment longer, the booking, and the lease', async () => {
    const world = await office(engine);
    const service = world.process('p');
    await service.offer(place('r1', 9));
    const booking = booked(await service.hold(nine, 'ann'));
    world.wire.forget();
    booked(await service.confirm(booking));
    const actions = sent(world);
    expect(actions.map(({ kind }) => kind)).toEqual(['Update', 'Update', 'ConditionCheck']);
    const [slot] = await world.stored('slots');
    const [token, holder] = [Number(slot?._fence?.N), slot?._fenceHolder?.S];
    expect(actions[0]?.ConditionExpression).toBe(
      `${by(token, holder)} AND ${live('id')} AND (status = 'held' AND token = ${booking.token} AND heldUntilMs > ${world.clock.now()})`,
    );
    expect(actions[2]?.ConditionExpression).toBe(stands(token, holder));
  });
});
