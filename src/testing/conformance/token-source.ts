import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.ts';
import {
  acquireCases,
  type Cases,
  inspectCases,
  raiseCases,
  releaseCases,
  renewCases,
  takeOverCases,
  whenGoneCases,
} from './token-source-cases.ts';
import { type FreshTokenSource, type Offers, Probe } from './token-source-probe.ts';

export type { ConformanceCase, FreshTokenSource, Offers };

/** The source that {@link tokenSourceConformance} is about. */
export interface TokenSourceConformanceOptions {
  /** Makes a source without a single lease; called once per case. */
  open(): Promise<FreshTokenSource>;
  /** What the source offers beside acquire, renew and release. What it does not offer needs no reason: its type says so. */
  readonly offers?: readonly (keyof Offers)[];
  /** How long the leases of the cases last, in ms; make it short where time passes by waiting. Default 10,000. */
  readonly ttlMs?: number;
  /** How much later than it should a grant may end, in ms: for a server that looks only now and then. Default 0. */
  readonly endsLateMs?: number;
  /**
   * Whether a grant that is over can be renewed while nobody has taken the lease. Default true. A source that keeps nothing of a grant
   * that is over, as a key or a node that ends with a session, passes false, and must answer `lost` then.
   */
  readonly renewsLate?: boolean;
}

const portCases = { acquire: acquireCases, renew: renewCases, release: releaseCases };
const offeredCases = {
  takeOver: takeOverCases,
  inspect: inspectCases,
  raise: raiseCases,
  whenGone: whenGoneCases,
};

/**
 * What every `TokenSource` must do, as cases for any test runner. A source that passes can stand behind a
 * `LeaseManager`. Faults of its own wire (lost answers, late copies) need tests of its own.
 *
 * @returns the cases, each on a source of its own; they may run in parallel.
 * @example
 * for (const { title, run } of tokenSourceConformance({ open: openRedis, offers: ['inspect'] })) it(title, run);
 */
export function tokenSourceConformance(options: TokenSourceConformanceOptions): readonly ConformanceCase[] {
  const { offers = [], ttlMs = 10_000, endsLateMs = 0, renewsLate = true } = options;
  const ending = { ttlMs, endsLateMs, renewsLate };
  const offered = offers.map((capability) => [capability, offeredCases[capability]] as const);
  const groups: readonly (readonly [string, Cases])[] = [...Object.entries(portCases), ...offered];
  const cases = groups.flatMap(([verb, group]) =>
    Object.entries(group).map(([title, check]) => ({
      title: `${verb}: ${title}`,
      run: async () => check(new Probe(await options.open(), ending)),
    })),
  );
  return [...cases, { title: 'offers what it says', run: () => offersWhatItSays(options, offers) }];
}

// Otherwise a capability that nobody named would go untested.
async function offersWhatItSays(
  { open }: TokenSourceConformanceOptions,
  offers: readonly (keyof Offers)[],
): Promise<void> {
  const { source } = await open();
  const capabilities = Object.keys(offeredCases) as (keyof Offers)[];
  const found = capabilities.filter((capability) => typeof source[capability] === 'function');
  assert.deepEqual([...found].sort(), [...offers].sort());
}
