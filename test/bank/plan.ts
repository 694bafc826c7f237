import { accountResource } from '../../examples/ledger/tables.ts';
import { seededRandom } from '../../src/testing/index.ts';

/**
 * What goes wrong with a transfer on its way, once:
 * - `lost`: it is carried out, and the answer is lost.
 * - `copied`: the network delivers it once more, later.
 * - `conflict`: another transaction is said to hold an item.
 * - `lost-grant`: a lease is granted, and the answer is lost.
 * - `nap`: its worker is stopped with a lease granted, for longer than the lease.
 * - `stopped`: its worker is stopped about to write, until somebody else has moved money of the same accounts.
 * - `asked-twice`: whoever wants it asks somebody else as well, after its worker has looked for an entry.
 * - `killed`: its worker is killed between commit and answer.
 * - `killed-late`: its worker is killed, somebody else is asked, and then what the dead one wrote arrives.
 */
export type Mishap = keyof typeof perThousand;

// At least one each. A worker that is killed has to be replaced, which takes a second of a core.
const perThousand = {
  lost: 30,
  copied: 30,
  conflict: 30,
  'lost-grant': 20,
  nap: 5,
  stopped: 10,
  'asked-twice': 10,
  killed: 2,
  'killed-late': 2,
};

export const mishaps = Object.keys(perThousand) as readonly Mishap[];

/** A transfer that somebody wants. */
export interface PlannedOrder {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  /** Whether there is enough money for it, at any moment of the run. */
  readonly covered: boolean;
  readonly mishap: Mishap | undefined;
  /** How late a copy is, in ms. */
  readonly lateMs: number;
}

export interface PlanOptions {
  readonly seed: number;
  readonly transfers: number;
  readonly accounts: number;
}

export interface Plan {
  /** What each account begins with. */
  readonly opening: Readonly<Record<string, number>>;
  readonly orders: readonly PlannedOrder[];
}

const LARGEST = 100;

/** Who wants to pay whom, and what goes wrong with it: all that chance decides, from the seed alone. */
export function planOf({ seed, transfers, accounts }: PlanOptions): Plan {
  const random = seededRandom(seed);
  const below = (bound: number) => Math.floor(random.unit() * bound);
  const names = Array.from({ length: accounts }, (_, n) => `account-${n}`);
  // Enough for the worst case, so what each account has in the end does not depend on the order of events.
  const enough = transfers * LARGEST;
  const struck = mishapsByPlace(transfers, below);
  const orders = Array.from({ length: transfers }, (_, n): PlannedOrder => {
    const from = below(accounts);
    const to = (from + 1 + below(accounts - 1)) % accounts;
    const mishap = struck.get(n);
    const covered = mishap !== undefined || random.unit() >= 0.03;
    const amount = 1 + below(LARGEST) + (covered ? 0 : 3 * enough);
    const [payer = '', payee = ''] = [names[from], names[to]];
    return { key: `order-${n}`, from: payer, to: payee, amount, covered, mishap, lateMs: 1 + below(300) };
  });
  return { opening: Object.fromEntries(names.map((name) => [name, enough])), orders };
}

function mishapsByPlace(transfers: number, below: (bound: number) => number): Map<number, Mishap> {
  const struck = new Map<number, Mishap>();
  for (const mishap of mishaps) {
    const count = Math.max(1, Math.round((perThousand[mishap] * transfers) / 1_000));
    for (let placed = 0; placed < count; ) {
      const place = below(transfers);
      if (struck.has(place)) continue;
      struck.set(place, mishap);
      placed++;
    }
  }
  return struck;
}

/** What holds an order's accounts. */
export function resourcesOf({ from, to }: Pick<PlannedOrder, 'from' | 'to'>): readonly string[] {
  return [accountResource(from), accountResource(to)];
}
