import { createHash } from 'node:crypto';
import { refusal } from './api-error.ts';
import type { BatchOperation, Store } from './dynalite.ts';

/** How long a token is remembered after its transaction was carried out: AWS documents 10 minutes. */
const windowMs = 10 * 60_000;

interface Remembered {
  readonly fingerprint: string;
  readonly untilMs: number;
}

/** A transaction under way that may be asked for again under the same token. */
export interface TokenUse {
  /** Whether it was carried out already: then it must not be done again. */
  readonly isReplay: boolean;
  /** What remembers the token, to be stored in the same batch as the transaction itself. */
  remember(): readonly BatchOperation[];
  /** Must be called when the transaction is over, however it ended. */
  end(): void;
}

const withoutToken: TokenUse = { isReplay: false, remember: () => [], end: () => {} };

/** The client request tokens of transactions. They are stored, so a restart on disk does not forget them. */
export class RequestTokens {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #running = new Map<string, string>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * @param token undefined where the request has none.
   * @param parameters what must be the same when the token comes again.
   * @throws IdempotentParameterMismatchException, TransactionInProgressException.
   */
  async use(token: string | undefined, parameters: unknown): Promise<TokenUse> {
    if (token === undefined) return withoutToken;
    const fingerprint = fingerprintOf(parameters);
    const running = this.#running.get(token);
    if (running !== undefined) {
      checkSame(running, fingerprint);
      throw refusal(
        'TransactionInProgressException',
        'The transaction with the given request token is in progress',
      );
    }
    // Taken before the first wait, so that of two requests at once only one goes on.
    this.#running.set(token, fingerprint);
    const end = () => void this.#running.delete(token);
    try {
      const remembered = await this.#recall(token);
      if (remembered !== undefined) checkSame(remembered.fingerprint, fingerprint);
      const remember = (): BatchOperation[] => [
        { type: 'put', key: keyOf(token), value: { fingerprint, untilMs: this.#now() + windowMs } },
      ];
      return { isReplay: remembered !== undefined, remember, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  async #recall(token: string): Promise<Remembered | undefined> {
    const found = await new Promise<unknown>((resolve, reject) => {
      this.#store.db.get(keyOf(token), (error, value) => (error ? reject(error) : resolve(value)));
    });
    const remembered = found as Remembered | undefined;
    return remembered !== undefined && this.#now() < remembered.untilMs ? remembered : undefined;
  }
}

// Beside dynalite's own ranges, which begin with `table~`, `item-`, `index-` and `tag-`.
const keyOf = (token: string) => `request-token~${token}`;

function checkSame(before: string, now: string): void {
  if (before === now) return;
  throw refusal(
    'IdempotentParameterMismatchException',
    'The request token was used before, with other parameters',
  );
}

function fingerprintOf(parameters: unknown): string {
  return createHash('sha256').update(JSON.stringify(parameters, inOrder)).digest('hex');
}

// Two equal objects may have been built in different orders.
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
