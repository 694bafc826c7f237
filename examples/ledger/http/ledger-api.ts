// The ledger behind HTTP, as openapi.yaml describes it.
import type { DynamoTokenSource, LeaseManager } from 'dynamodb-fenced';
import { answering, respond } from 'dynamodb-fenced/http';
import type { Sequencer } from 'dynamodb-fenced/sequencer';
import type { Ledger } from '../ledger.ts';
import { lendAccount } from './lend-account.ts';
import { postTransfer } from './post-transfer.ts';

/** What the API is made of. Who may do what with which account is for an authoriser before it. */
export interface LedgerApi {
  readonly ledger: Ledger;
  readonly leases: LeaseManager<DynamoTokenSource>;
  readonly seals: Sequencer;
}

// #region api
const route = /^\/accounts\/(?<id>[\w-]{1,64})(?:\/(?<part>lease|transfers))?$/;

/** For every server that speaks Fetch. */
export function ledgerApi(api: LedgerApi) {
  return answering(async (request: Request): Promise<Response> => {
    const { id, part } = route.exec(new URL(request.url).pathname)?.groups ?? {};
    if (id === undefined) return new Response(null, { status: 404 });
    switch (`${request.method} ${part ?? 'account'}`) {
      case 'GET account':
        return showAccount(api, id);
      case 'POST lease':
        return lendAccount(api, id);
      case 'POST transfers':
        return postTransfer(api, request, id);
      default:
        return new Response(null, { status: 405 });
    }
  });
}
// #endregion api

async function showAccount({ ledger }: LedgerApi, id: string): Promise<Response> {
  const found = await ledger.tables.accounts.get({ id });
  return respond(found === undefined ? { ok: false, reason: 'not-found' } : { ok: true, ...found });
}
