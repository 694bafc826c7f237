/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Leases in etcd, for those who lock there already: grants and fencing tokens for writes to DynamoDB.
 *
 * @module dynamodb-fenced/sources/etcd
 */
import { type Clock, systemClock } from '../../fence/clock.ts';
import { checkClock } from '../../fence/clock-option.ts';
import { anything, callable, checkOptions, type OptionChecks } from '../../fence/options.ts';
import type {
  CanInspect,
  CanRaise,
  CanTakeOver,
  CanTellLoss,
  CanWait,
  TokenSource,
} from '../token-source.ts';
import { acquire } from './etcd/acquire.ts';
import { checkEndpoints } from './etcd/endpoints.ts';
import type { Etcd } from './etcd/exchange.ts';
import { Gateway } from './etcd/gateway.ts';
import { inspect } from './etcd/inspect.ts';
import { keysBelow } from './etcd/keys.ts';
import { raise } from './etcd/raise.ts';
import { release } from './etcd/release.ts';
import { renew } from './etcd/renew.ts';
import { takeOver } from './etcd/take-over.ts';
import { checkTls, type EtcdTls } from './etcd/tls.ts';
import { waitForRelease } from './etcd/wait.ts';
import { whenGone } from './etcd/when-gone.ts';

export type { EtcdTls } from './etcd/tls.ts';

/** What {@link etcdTokenSource} takes. */
export interface EtcdTokenSourceOptions {
  /** Where the members of the cluster answer: one address or several, as `http://127.0.0.1:2379`. The next one is asked where one is in trouble, or says nothing for 3 s. */
  readonly endpoints: string | readonly string[];
  /** Comes before every key. Default `fence/`. */
  readonly prefix?: string;
  /**
   * Makes the header `Authorization`, anew for each request: the token that `/v3/auth/authenticate` gives; an empty text for none. It is
   * called once more, with what it gave before, where etcd does not take that any more: time to authenticate again. Default none.
   */
  readonly authorization?: (refused?: string) => string | Promise<string>;
  /** For `https:` endpoints, certificates other than those that Node knows. */
  readonly tls?: EtcdTls;
  /** Time; default the system's. It says until when a grant is meant to last; the time itself is kept by etcd. */
  readonly clock?: Clock;
}

/** Leases in etcd. */
export interface EtcdTokenSource
  extends TokenSource,
    CanTakeOver,
    CanInspect,
    CanRaise,
    CanWait,
    CanTellLoss {}

const sourceOptions: OptionChecks<EtcdTokenSourceOptions> = {
  endpoints: anything,
  prefix: anything,
  authorization: callable,
  tls: checkTls,
  clock: checkClock,
};

/**
 * Keeps leases in etcd 3.4 or later, over the JSON gateway that every member serves. A grant is a key that goes with an etcd lease, and
 * its token the revision at which it was granted: all of etcd grows by one with every change, so tokens of a resource grow with gaps.
 *
 * `ttlMs` is rounded up to whole seconds, and etcd has a least of its own, 2 s with its usual election timeout. It ends grants late
 * by up to a second, never early. A grant that is over cannot be renewed: `renew` answers `lost`. The lease's signal aborts as soon as the
 * key is gone. Waiters queue up in the order of their coming.
 *
 * A new or restored cluster counts from an older revision again. Items refuse such tokens; `raise`, or `acquire(…, { above: lastToken })`, adds
 * what is missing, for this resource and for good. See docs/sources.md.
 *
 * @param options `endpoints`; `prefix` of the keys, default `fence/`; `authorization`, `tls`, `clock`.
 * @returns a source for `LeaseManager`. `data` of a lease must be JSON. Three requests per acquire, two per renewal and release; one where it is held.
 * @throws InvalidInputError where an option cannot work.
 * @example
 * const source = etcdTokenSource({ endpoints: 'http://127.0.0.1:2379' });
 * const leases = new LeaseManager({ source, ttlMs: 10_000, heartbeat: true });
 */
export function etcdTokenSource(options: EtcdTokenSourceOptions): EtcdTokenSource {
  const { endpoints, prefix, authorization, tls, clock = systemClock } = checkOptions(options, sourceOptions);
  const gateway = new Gateway({ endpoints: checkEndpoints(endpoints), authorization, tls, clock });
  const etcd: Etcd = { gateway, keysOf: keysBelow(prefix), clock };
  return {
    acquire: (request, deadline) => acquire(etcd, request, deadline),
    renew: (request, deadline) => renew(etcd, request, deadline),
    release: (request, deadline) => release(etcd, request, deadline),
    takeOver: (request, deadline) => takeOver(etcd, request, deadline),
    inspect: (resource, deadline) => inspect(etcd, resource, deadline),
    raise: (request, deadline) => raise(etcd, request, deadline),
    waitForRelease: (request, signal) => waitForRelease(etcd, request, signal),
    whenGone: (grant, signal) => whenGone(etcd, grant, signal),
  };
}
