import { fence } from 'dynamodb-fenced';
import { ifVersionFrom, respond } from 'dynamodb-fenced/http';
import * as z from 'zod/mini';
import { jsonBody } from '../../edge/json-body.ts';
import { slotResource } from '../tables.ts';
import type { BookingApi } from './booking-api.ts';
import { refuse } from './refuse.ts';

// It names a resource, so it is text that can be printed.
const Customer = z.strictObject({
  customer: z
    .string()
    .check(z.regex(/^[^\p{Cc}\p{Surrogate}]+$/u, 'a name'), z.maxLength(64, 'a shorter name')),
});

/** It is also the receipt, by which a booking is cancelled: as long as people book ahead. */
const SEAL_MS = 90 * 24 * 60 * 60_000;

// #region hold
/** 201 with the booking, and its fence: the slot, and the token under which it was held. */
export async function holdSlot({ service, seals }: BookingApi, request: Request, id: string) {
  const asked = await jsonBody(request, Customer);
  if (!asked.ok) return asked.response;
  const precondition = await ifVersionFrom(request, { read: () => service.tables.slots.get({ id }) });
  if (!precondition.ok) return precondition.response;
  const result = await service.hold(id, asked.body.customer, precondition.options);
  if (!result.ok) return refuse(result);
  const { booking } = result;
  const sealed = seals.seal(fence(slotResource(id), booking.token), { ttlMs: SEAL_MS });
  return respond(result, { status: 201, headers: { 'Fencing-Token': sealed }, body: () => booking });
}
// #endregion hold
