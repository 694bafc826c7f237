import { fenceFrom, respond } from 'dynamodb-fenced/http';
import { slotResource } from '../tables.ts';
import type { BookingApi } from './booking-api.ts';
import { refuse } from './refuse.ts';

// #region change
/** 200 with the booking that the fence stands for; 412 where the slot has passed on to somebody else. */
export async function changeBooking(
  { service, seals }: BookingApi,
  request: Request,
  slot: string,
  change: 'confirm' | 'cancel',
): Promise<Response> {
  const presented = fenceFrom(request, { resource: slotResource(slot), sequencer: seals });
  if (!presented.ok) return presented.response;
  const { token } = presented.fence;
  const result = await service[change]({ slot, token });
  return result.ok ? respond(result, { body: ({ booking }) => booking }) : refuse(result, token);
}
// #endregion change
