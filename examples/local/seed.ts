import type { BookingService } from '../booking/booking-service.ts';
import type { Ledger } from '../ledger/ledger.ts';

const HOUR_MS = 60 * 60_000;

/** Something to try the APIs with. What is there already stays as it is. */
export async function seed(ledger: Ledger, bookings: BookingService, nowMs: number): Promise<void> {
  await Promise.all([
    ledger.open({ id: 'till', currency: 'EUR', limit: -1_000_00 }),
    ledger.open({ id: 'ann', currency: 'EUR' }),
    ledger.open({ id: 'bob', currency: 'EUR' }),
    ...[9, 10, 11].map((hour) => {
      const startsAtMs = tomorrow(nowMs) + hour * HOUR_MS;
      return bookings.offer({ room: 'room-1', startsAtMs, endsAtMs: startsAtMs + HOUR_MS });
    }),
  ]);
  await ledger.transfer('till', 'ann', 100_00, 'ann-begins');
}

/** When the day after this one begins, in UTC. */
export function tomorrow(nowMs: number): number {
  const dayMs = 24 * HOUR_MS;
  return (Math.floor(nowMs / dayMs) + 1) * dayMs;
}
