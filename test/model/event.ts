import fc from 'fast-check';

/** What holders do to an item. `rewrite` is a claim and a put that trusts in what the claim has read. */
export const itemVerbs = [
  'claim',
  'create',
  'put',
  'add',
  'subtract',
  'upsert',
  'delete',
  'rewrite',
  'modify',
] as const;
export type ItemVerb = (typeof itemVerbs)[number];

/** What holders do to their lease, and what is left of their earlier calls. */
export const leaseVerbs = ['acquire', 'renew', 'release', 'take over', 'raise', 'resolve'] as const;
export type LeaseVerb = (typeof leaseVerbs)[number];

/** What becomes of a message: see {@link Event}. */
export type Delivery = 'arrives' | 'answer lost' | 'times out' | 'duplicated';

/** One thing that happens next. Numbers are taken modulo what there is. */
export type Event =
  | { readonly event: 'item'; readonly who: number; readonly verb: ItemVerb; readonly key: number }
  | { readonly event: 'lease'; readonly who: number; readonly verb: LeaseVerb; readonly from: number }
  /** A message is executed and answered; or its answer is lost; or the wait for it ends, and it goes on; or a copy stays behind. */
  | { readonly event: Delivery; readonly message: number }
  | { readonly event: 'time'; readonly halfTtls: number }
  | { readonly event: 'clock jumps'; readonly who: number; readonly halfTtls: number }
  /** A process stops, and hears nothing until it wakes; then it meets answers and timers at once. */
  | { readonly event: 'pause' | 'wake'; readonly who: number }
  | { readonly event: 'row deleted' }
  | { readonly event: 'row restored'; readonly back: number };

export const starts = ['absent', 'unfenced', 'tombstone', 'live'] as const;

/** A history that may happen. */
export interface Schedule {
  /** How far each holder's clock is ahead at first, in halves of a ttl. */
  readonly clocksAhead: readonly number[];
  readonly starts: readonly (typeof starts)[number][];
  /** Whether all of them were granted the lease before, one after the other, and still believe that they hold it. */
  readonly grantedBefore: boolean;
  /** Whether a refusal shows the item, as on AWS, or takes a read, as on older engines. */
  readonly returnItems: boolean;
  readonly events: readonly Event[];
}

const who = fc.nat({ max: 3 });
const message = fc.nat({ max: 7 });
// Two items, so that writes of one lease go to both; mostly one, so that holders meet.
const key = fc.constantFrom(0, 0, 0, 1);

// What trusts in a read is where most can be lost.
const itemVerb = fc.constantFrom<ItemVerb>(...itemVerbs, 'rewrite', 'rewrite');

// An operator's raise ends whatever there is, so it is the rarest.
const leaseVerb = fc.constantFrom<LeaseVerb>(
  ...([
    'acquire',
    'acquire',
    'take over',
    'take over',
    'renew',
    'renew',
    'resolve',
    'release',
    'raise',
  ] as const),
);

// Shrinks towards the first, which mostly does nothing and leaves no line.
const event: fc.Arbitrary<Event> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: of('wake', { who }) },
  {
    weight: 10,
    arbitrary: of('item', { who, verb: itemVerb, key }),
  },
  { weight: 5, arbitrary: of('lease', { who, verb: leaseVerb, from: who }) },
  { weight: 18, arbitrary: of('arrives', { message }) },
  { weight: 3, arbitrary: of('answer lost', { message }) },
  { weight: 4, arbitrary: of('times out', { message }) },
  { weight: 2, arbitrary: of('duplicated', { message }) },
  { weight: 2, arbitrary: of('time', { halfTtls: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: of('clock jumps', { who, halfTtls: fc.integer({ min: -4, max: 4 }) }) },
  { weight: 1, arbitrary: of('pause', { who }) },
  { weight: 1, arbitrary: of('row deleted', {}) },
  { weight: 1, arbitrary: of('row restored', { back: fc.nat({ max: 3 }) }) },
) as fc.Arbitrary<Event>;

function of(name: Event['event'], rest: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record({ event: fc.constant(name), ...rest });
}

const start = fc.constantFrom(...starts, 'absent' as const);

/** Everything that happens, with the grants of before. */
export function eventsOf({ grantedBefore, clocksAhead, events }: Schedule): readonly Event[] {
  if (!grantedBefore) return events;
  const grants = clocksAhead.flatMap((_, n): Event[] => [
    { event: 'lease', who: n, verb: 'acquire', from: 0 },
    { event: 'arrives', message: 0 },
    { event: 'time', halfTtls: 2 },
  ]);
  return [...grants, ...events];
}

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  clocksAhead: fc.array(fc.nat({ max: 4 }), { minLength: 2, maxLength: 4 }),
  starts: fc.tuple(start, start),
  grantedBefore: fc.boolean(),
  returnItems: fc.boolean(),
  events: fc.array(event, { minLength: 15, maxLength: 50, size: 'max' }),
});
