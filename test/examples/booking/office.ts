import type { Booking, BookingResult } from '../../../examples/booking/booking.ts';
import { BookingService, type BookingServiceOptions } from '../../../examples/booking/booking-service.ts';
import { definitions } from '../../../examples/booking/definitions.ts';
import { openTables, type Tables } from '../../../examples/booking/tables.ts';
import type { EngineUnderTest } from '../../engines/describe-each-engine.ts';
import { type ExampleWorld, exampleWorld } from '../../support/example-world.ts';

// Both, one after the other, take less than a request may.
export const TTL_MS = 1_000;
export const HOLD_MS = 8_000;

/** The service on an engine, and several processes of it. */
export interface Office extends ExampleWorld<keyof typeof definitions> {
  /** A process of the service, which others take to be alive as long as its leases last. */
  process(
    name: string,
    options?: Partial<BookingServiceOptions> & { readonly ttlMs?: number },
  ): BookingService;
  /** The tables alone, for whoever writes under fences of their own. */
  readonly tables: Tables;
}

export async function office(engine: EngineUnderTest): Promise<Office> {
  const world = await exampleWorld(engine, definitions);
  const { client, clock, names: tableNames } = world;
  return {
    ...world,
    tables: openTables({ client, tableNames, clock }),
    process(holder, { ttlMs = TTL_MS, ...options } = {}) {
      const leases = world.leases(holder, ttlMs);
      const given = { client, tableNames, leases, clock };
      return new BookingService({ ...given, holdMs: HOLD_MS, waitMs: 0, ...options });
    },
  };
}

/** The start of 2026-03-02, UTC. */
export const DAY_MS = Date.UTC(2026, 2, 2);
const HOUR_MS = 60 * 60_000;

/** A slot of that day, from one hour to another. */
export function place(room: string, fromHour: number, toHour = fromHour + 1) {
  return { room, startsAtMs: DAY_MS + fromHour * HOUR_MS, endsAtMs: DAY_MS + toHour * HOUR_MS };
}

export function slotId(room: string, fromHour: number): string {
  return `${room}@${new Date(DAY_MS + fromHour * HOUR_MS).toISOString().slice(0, 16)}Z`;
}

/** The booking of an answer that must be one. */
export function booked(result: BookingResult): Booking {
  if (result.ok) return result.booking;
  throw new Error(`refused: ${result.reason}`);
}
