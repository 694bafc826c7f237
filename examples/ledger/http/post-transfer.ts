import type { Fence } from 'dynamodb-fenced';
import { fenceFrom, ifVersionFrom } from 'dynamodb-fenced/http';
import * as z from 'zod/mini';
import { badRequest, jsonBody } from '../../edge/json-body.ts';
import { accountResource } from '../tables.ts';
import type { LedgerApi } from './ledger-api.ts';
import { respondToTransfer } from './respond-to-transfer.ts';

const Transfer = z.strictObject({
  to: z.string().check(z.regex(/^[\w-]{1,64}$/, 'an id of an account')),
  amount: z.int('a whole number').check(z.positive('more than nothing')),
});

// #region transfer
/** 201 with the entry, 200 if this key has done it before; refused as openapi.yaml says. */
export async function postTransfer(api: LedgerApi, request: Request, from: string): Promise<Response> {
  const { ledger, seals } = api;
  const presented = fenceFrom(request, { resource: accountResource(from), sequencer: seals });
  if (!presented.ok) return presented.response;
  const key = request.headers.get('Idempotency-Key') ?? '';
  if (!/^[!-~]{1,255}$/.test(key))
    return badRequest('Idempotency-Key: send one that you chose for this transfer');
  const order = await jsonBody(request, Transfer);
  if (!order.ok) return order.response;
  const { to, amount } = order.body;
  if (to === from) return badRequest('to: the money comes from there');
  const read = () => ledger.tables.accounts.get({ id: from });
  const precondition = await ifVersionFrom(request, { read });
  if (!precondition.ok) return precondition.response;

  const { fence } = presented;
  const result = await ledger.transfer(from, to, amount, key, { fence, ...precondition.options });
  if (result.ok && !result.replayed) await giveBack(api, fence);
  return respondToTransfer(result, fence);
}
// #endregion transfer

/** The fence has paid, which it can once, so nobody has to wait for the lease to end. Where this fails, it ends by itself. */
async function giveBack({ leases }: LedgerApi, fence: Fence): Promise<void> {
  try {
    const taken = await leases.takeOver(fence);
    if (taken.ok) await taken.lease.release();
  } catch {
    // The money has moved, and that is what there is to answer.
  }
}
