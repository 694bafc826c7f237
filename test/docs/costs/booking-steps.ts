import { BookingService } from '../../../examples/booking/booking-service.ts';
import { definitions } from '../../../examples/booking/definitions.ts';
import { freeSlot, QUARTER_MS } from '../../../examples/booking/slot.ts';
import type { RunningEngine } from '../../engines/engines.ts';
import type { Banks } from './bank.ts';
import type { Cost } from './meter.ts';

/** A slot of a quarter of an hour from its offer to its confirmation, by the service of `examples/booking`. */
export async function bookingCosts(engine: RunningEngine, banks: Banks): Promise<Record<string, Cost>> {
  const tableNames = { leases: 'leases', slots: 'slots', bookings: 'bookings', markers: 'markers' };
  for (const name of ['slots', 'bookings', 'markers'] as const) {
    await engine.createTable({ ...definitions[name], tableName: name });
  }
  const { meter, leases, clock } = banks;
  const service = new BookingService({ client: meter.client, tableNames, leases, clock });
  const startsAtMs = Math.ceil(clock.now() / QUARTER_MS) * QUARTER_MS;
  const place = { room: 'room-1', startsAtMs, endsAtMs: startsAtMs + QUARTER_MS };
  const { id } = freeSlot(place);
  await service.offer(place);

  const held: Booked[] = [];
  const hold = await meter.costOf(async () => held.push(booked(await service.hold(id, 'ann'))));
  const [booking] = held as [Booked];
  return {
    'booking, the transaction of `hold`': hold.filter(({ op }) => op === 'TransactWriteItems'),
    'booking, `hold` as a whole': hold,
    'booking, `confirm` as a whole': await meter.costOf(async () => booked(await service.confirm(booking))),
    'booking, `cancel` as a whole': await meter.costOf(async () => booked(await service.cancel(booking))),
  };
}

type Result = Awaited<ReturnType<BookingService['hold']>>;
type Booked = Extract<Result, { ok: true }>['booking'];

function booked(result: Result): Booked {
  if (result.ok) return result.booking;
  throw new Error(`the booking was refused: ${result.reason}`);
}
