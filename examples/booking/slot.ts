/** A time in a room that one customer may have. Its times never change. */
export interface Slot {
  /** As `room-1@2026-03-02T09:00Z`. */
  id: string;
  room: string;
  startsAtMs: number;
  endsAtMs: number;
  status: 'free' | 'held' | 'booked';
  /** The day, only while the slot is free: the partition of the index of free slots. */
  freeOn?: string;
  /** The room, only while the slot is held: the partition of the index of holds. */
  heldIn?: string;
  heldUntilMs?: number;
  /** Who has it, and which of its bookings that is. */
  customer?: string;
  token?: number;
}

/** Where and when a slot is. */
export type Place = Pick<Slot, 'room' | 'startsAtMs' | 'endsAtMs'>;

/** Slots begin and end on a quarter of an hour. */
export const QUARTER_MS = 15 * 60_000;

// A booking writes one marker per quarter, and a transaction takes 100 actions.
const MOST_QUARTERS = 24;

/** A new slot, free. */
export function freeSlot(place: Place): Slot {
  const { room, startsAtMs, endsAtMs } = place;
  const quarters = (endsAtMs - startsAtMs) / QUARTER_MS;
  if (startsAtMs % QUARTER_MS !== 0 || !Number.isInteger(quarters)) {
    throw new RangeError('A slot begins and ends on a quarter of an hour.');
  }
  if (quarters < 1 || quarters > MOST_QUARTERS) {
    throw new RangeError('A slot ends after it begins, at most six hours later.');
  }
  const id = `${room}@${new Date(startsAtMs).toISOString().slice(0, 16)}Z`;
  return { id, room, startsAtMs, endsAtMs, status: 'free', freeOn: dayOf(startsAtMs) };
}

/** The day of a moment, in UTC, as `2026-03-02`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The quarters of an hour that a slot takes. Two slots overlap exactly if they share one. */
export function quartersOf({ startsAtMs, endsAtMs }: Pick<Slot, 'startsAtMs' | 'endsAtMs'>): number[] {
  const count = (endsAtMs - startsAtMs) / QUARTER_MS;
  return Array.from({ length: count }, (_, n) => startsAtMs + n * QUARTER_MS);
}

/** Whether the hold of a slot has run out. */
export function isOverdue({ status, heldUntilMs = 0 }: Slot, nowMs: number): boolean {
  return status === 'held' && heldUntilMs <= nowMs;
}
