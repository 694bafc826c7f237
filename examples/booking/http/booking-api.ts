// The bookings behind HTTP, as openapi.yaml describes it.
import { answering, respond } from 'dynamodb-fenced/http';
import type { Sequencer } from 'dynamodb-fenced/sequencer';
import type { BookingService } from '../booking-service.ts';
import type { Slot } from '../slot.ts';
import { changeBooking } from './change-booking.ts';
import { holdSlot } from './hold-slot.ts';

/** What the API is made of. Whether customers are who they say is for an authoriser before it. */
export interface BookingApi {
  readonly service: BookingService;
  readonly seals: Sequencer;
}

const route =
  /^\/(?:days\/(?<day>\d{4}-\d\d-\d\d)|slots\/(?<slot>[\w-]{1,64}@[\w:-]{1,32})(?:\/(?<verb>hold|confirm|cancel))?)$/;

/** For every server that speaks Fetch. */
export function bookingApi(api: BookingApi) {
  return answering(async (request: Request): Promise<Response> => {
    const { day, slot, verb = 'show' } = route.exec(new URL(request.url).pathname)?.groups ?? {};
    if (day !== undefined && request.method === 'GET') return showDay(api, day);
    if (slot === undefined) return new Response(null, { status: 404 });
    switch (`${request.method} ${verb}`) {
      case 'GET show':
        return showSlot(api, slot);
      case 'POST hold':
        return holdSlot(api, request, slot);
      case 'POST confirm':
        return changeBooking(api, request, slot, 'confirm');
      case 'POST cancel':
        return changeBooking(api, request, slot, 'cancel');
      default:
        return new Response(null, { status: 405 });
    }
  });
}

async function showDay({ service }: BookingApi, day: string): Promise<Response> {
  const { items } = await service.free(day, { limit: 100 });
  return respond({ ok: true, value: items.map(shown) });
}

async function showSlot({ service }: BookingApi, id: string): Promise<Response> {
  const found = await service.tables.slots.get({ id });
  if (found === undefined) return respond({ ok: false, reason: 'not-found' });
  return respond({ ok: true, ...found }, { body: ({ item }) => shown(item) });
}

/** What everybody may see of a slot: not who has it. */
function shown({ id, room, startsAtMs, endsAtMs, status }: Slot) {
  return { id, room, startsAtMs, endsAtMs, status };
}
