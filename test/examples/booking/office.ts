import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Booking, BookingResult } from '../../../examples/booking/booking.ts';
import { BookingService, type BookingServiceOptions } from '../../../examples/booking/booking-service.ts';
import { definitions } from '../../../examples/booking/definitions.ts';
import { openTables, type Tables } from '../../../examples/booking/tables.ts';
import { dynamoTokenSource, LeaseManager } from '../../../src/index.ts';
import {
  type FaultyHandler,
  faults,
  type ManualClock,
  manualClock,
  type RecordingHandler,
  record,
  seededRandom,
} from '../../../src/testing/index.ts';
import type { EngineUnderTest } from '../../engines/describe-each-engine.ts';
import { stillTime } from '../../support/still-time.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';

// Both, one after the other, take less than a request may.
export const TTL_MS = 1_000;
export const HOLD_MS = 8_000;

type Item = Record<string, AttributeValue>;

/** The service on an engine, several processes of it, and the time that all of them live in. */
export interface Office {
  readonly clock: ManualClock;
  readonly wire: RecordingHandler;
  readonly faults: FaultyHandler;
  readonly names: Readonly<Record<keyof typeof definitions, string>>;
  /** A process of the service, which others take to be alive as long as its leases last. */
  process(
    name: string,
    options?: Partial<BookingServiceOptions> & { readonly ttlMs?: number },
  ): BookingService;
  /** The tables alone, for whoever writes under fences of their own. */
  readonly tables: Tables;
  /** All that is stored, read without the library. */
  stored(table: keyof typeof definitions, index?: string): Promise<Item[]>;
  /** Lets time pass whenever nothing but held requests is under way, until all is done. */
  until<T>(work: Promise<T>): Promise<T>;
}

export async function office(engine: EngineUnderTest): Promise<Office> {
  const tables = new Map<string, TestTable>();
  for (const [name, definition] of Object.entries(definitions)) {
    tables.set(name, await testTable(engine, definition));
  }
  const table = (name: string) => tables.get(name) as TestTable;
  const names = Object.fromEntries([...tables].map(([name, { tableName }]) => [name, tableName]));
  const tableNames = names as Office['names'];
  const clock = manualClock();
  const { handler, passing } = stillTime(engine.running.handler);
  const faulty = faults(handler, [], { clock });
  const wire = record(faulty);
  const client = engine.client({ requestHandler: wire });
  let seed = 0;
  return {
    clock,
    wire,
    faults: faulty,
    names: tableNames,
    tables: openTables({ client, tableNames, clock }),
    process(holder, { ttlMs = TTL_MS, ...options } = {}) {
      seed++;
      const source = dynamoTokenSource({ client, tableName: tableNames.leases, clock });
      const random = seededRandom(seed);
      const leases = new LeaseManager({ source, ttlMs, holder, clock, random });
      return new BookingService({
        client,
        tableNames,
        leases,
        holdMs: HOLD_MS,
        waitMs: 0,
        clock,
        ...options,
      });
    },
    stored: (name, index) => table(name).storedItems(index),
    until: (work) => passing(clock, work, 5),
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
