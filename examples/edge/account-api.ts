// An account behind HTTP: who wants to change it gets the lease first, and shows it with every change.
import type { FencedRepository, LeaseManager } from 'dynamodb-fenced';
import { answering, fenceFrom, ifVersionFrom, respond } from 'dynamodb-fenced/http';
import type { Sequencer } from 'dynamodb-fenced/sequencer';

export interface Account {
  id: string;
  note: string;
}

export interface AccountApi {
  readonly accounts: FencedRepository<Account, 'id'>;
  readonly leases: LeaseManager;
  readonly seals: Sequencer;
}

// #region lease
/** Longer than the lease: whether somebody newer has come in between, the storage knows. */
const SEAL_MS = 5 * 60_000;

/** 201 with the fence, sealed; or 423. The lease is not released: the client has it until it ends. */
export async function lease({ leases, seals }: AccountApi, id: string): Promise<Response> {
  const acquired = await leases.acquire(`account/${id}`, { ttlMs: 30_000 });
  if (!acquired.ok) return respond(acquired);
  const { expiresAtMs } = acquired.lease;
  return respond(acquired, {
    status: 201,
    headers: { 'Fencing-Token': seals.seal(acquired.lease, { ttlMs: SEAL_MS }) },
    body: () => ({ expiresAtMs }),
  });
}
// #endregion lease

// #region change
/** 200 with the account; or 428 without a fence, 401 or 403 with a false one, 412 where it or the tag is out of date. */
export async function change({ accounts, seals }: AccountApi, request: Request, id: string) {
  const presented = fenceFrom(request, { resource: `account/${id}`, sequencer: seals });
  if (!presented.ok) return presented.response;
  const precondition = await ifVersionFrom(request, { read: () => accounts.get({ id }) });
  if (!precondition.ok) return precondition.response;
  const { note } = (await request.json()) as Pick<Account, 'note'>;
  return respond(await accounts.update(presented.fence, { id }, { note }, precondition.options));
}
// #endregion change

// #region api
/** For every server that speaks Fetch. */
export function accountApi(api: AccountApi) {
  return answering(async (request: Request): Promise<Response> => {
    const [, collection, id = '', rest] = new URL(request.url).pathname.split('/');
    if (collection !== 'accounts' || id === '') return new Response(null, { status: 404 });
    if (request.method === 'POST' && rest === 'lease') return lease(api, id);
    if (request.method === 'PATCH') return change(api, request, id);
    const found = await api.accounts.get({ id });
    return respond(found === undefined ? { ok: false, reason: 'not-found' } : { ok: true, ...found });
  });
}
// #endregion api
