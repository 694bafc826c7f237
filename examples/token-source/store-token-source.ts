import {
  type CanInspect,
  type Deadline,
  type FencingToken,
  fence,
  fencingToken,
  type Gone,
  type Granted,
  type HeldBySomebody,
  MAX_FENCING_TOKEN,
  type Newer,
  type Released,
  type Renewed,
  TokenExhaustedError,
  type TokenSource,
  UnavailableError,
  type Undecided,
} from 'dynamodb-fenced';
import type { Store } from './store.ts';

/** What is kept of a resource. It is never deleted, because it is the counter. */
interface Row {
  readonly token: FencingToken;
  readonly grant?:
    | { readonly holder: string; readonly expiresAtMs: number; readonly data?: unknown }
    | undefined;
}

/** What to write, and what to answer once it is written; or the answer alone, where nothing is to be written. */
type Step<Answer> = { readonly write?: Row; readonly answer: Answer };

/**
 * Leases in any store with compare-and-set. Every question is the same loop: look, decide, write if nobody else has
 * written in between.
 *
 * @param now the clock that grants end by, in ms since the epoch.
 */
export function storeTokenSource(store: Store, now: () => number = Date.now): TokenSource & CanInspect {
  return {
    acquire: ({ resource, holder, ttlMs, above, data }, deadline) =>
      change<Granted | HeldBySomebody>(store, resource, deadline, (row) => {
        if (row?.grant?.holder === holder) {
          // Its own grant, whose answer was lost.
          const { expiresAtMs } = row.grant;
          return { answer: { is: 'granted', token: row.token, expiresAtMs, recovered: true } };
        }
        if (row?.grant !== undefined && row.grant.expiresAtMs > now()) {
          const { holder, expiresAtMs } = row.grant;
          return { answer: { is: 'held', token: row.token, holder, expiresAtMs, applied: 'no' } };
        }
        // Starting from the clock keeps tokens growing even where the store loses the row.
        const next = Math.max(Math.floor(now()), above + 1, (row?.token ?? 0) + 1);
        if (next > MAX_FENCING_TOKEN) throw new TokenExhaustedError(resource);
        const token = fencingToken(next);
        const expiresAtMs = Math.ceil(now() + ttlMs);
        return {
          write: { token, grant: { holder, expiresAtMs, data } },
          answer: { is: 'granted', token, expiresAtMs, recovered: false },
        };
      }),

    renew: ({ resource, holder, token, ttlMs }, deadline) =>
      change<Renewed | Gone | Newer>(store, resource, deadline, (row) => {
        if (row !== undefined && row.token > token) {
          const { token: lastToken, grant } = row;
          return { answer: { is: 'fenced', lastToken, lastHolder: grant?.holder, applied: 'no' } };
        }
        if (row?.token !== token || row.grant?.holder !== holder) return { answer: { is: 'lost' } };
        const expiresAtMs = Math.max(row.grant.expiresAtMs, Math.ceil(now() + ttlMs));
        return {
          write: { token, grant: { ...row.grant, expiresAtMs } },
          answer: { is: 'renewed', expiresAtMs },
        };
      }),

    release: ({ resource, holder, token }, deadline) =>
      change<Released>(store, resource, deadline, (row) => {
        const own = row?.grant?.holder === holder && (token === undefined || row.token === token);
        return { ...(own ? { write: { token: row.token } } : {}), answer: { is: 'released' } };
      }),

    async inspect(resource, deadline) {
      const kept = await store.get(keyOf(resource), deadline.signal).catch((cause: unknown) => {
        throw new UnavailableError(`The lease of ${resource} could not be read.`, {
          cause,
          advice: 'Call again.',
        });
      });
      if (kept === undefined) return undefined;
      const { token, grant } = JSON.parse(kept.value) as Row;
      const { holder, expiresAtMs, data } = grant ?? {};
      return { resource, token, holder, expiresAtMs, data };
    },
  };
}

async function change<Answer>(
  store: Store,
  resource: string,
  deadline: Deadline,
  decide: (row: Row | undefined) => Step<Answer>,
): Promise<Answer | Undecided> {
  const key = keyOf(resource);
  let applied: Undecided['applied'] = 'no';
  try {
    while (!deadline.over) {
      const kept = await store.get(key, deadline.signal);
      const { write, answer } = decide(kept === undefined ? undefined : (JSON.parse(kept.value) as Row));
      if (write === undefined) return answer;
      if (deadline.over) break;
      applied = 'unknown';
      if (await store.put(key, JSON.stringify(write), kept?.revision ?? 0, deadline.signal)) return answer;
      // Somebody was faster, so this one was certainly not written.
      applied = 'no';
    }
  } catch (error) {
    if (error instanceof TokenExhaustedError) throw error;
    return { is: 'undecided', applied, error };
  }
  return { is: 'undecided', applied, error: deadline.signal.reason };
}

function keyOf(resource: string): string {
  // fence() refuses what is no name of a resource.
  return `leases/${fence(resource, 1).resource}`;
}
