/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Leases in ZooKeeper, for those who lock there already: grants and fencing tokens for writes to DynamoDB.
 *
 * @module dynamodb-fenced/sources/zookeeper
 */
import { type Clock, systemClock } from '../../fence/clock.ts';
import { checkClock } from '../../fence/clock-option.ts';
import { describe } from '../../fence/describe.ts';
import { InvalidInputError } from '../../fence/errors.ts';
import { anything, callable, checkOptions, type OptionChecks } from '../../fence/options.ts';
import type {
  CanInspect,
  CanRaise,
  CanTakeOver,
  CanTellLoss,
  CanWait,
  TokenSource,
} from '../token-source.ts';
import { acquire } from './zookeeper/acquire.ts';
import type { ZooKeeperClient } from './zookeeper/client.ts';
import type { ZooKeeper } from './zookeeper/exchange.ts';
import { inspect } from './zookeeper/inspect.ts';
import { pathsBelow } from './zookeeper/paths.ts';
import { raise } from './zookeeper/raise.ts';
import { release } from './zookeeper/release.ts';
import { renew } from './zookeeper/renew.ts';
import { Sessions } from './zookeeper/session.ts';
import { takeOver } from './zookeeper/take-over.ts';
import { waitForRelease } from './zookeeper/wait.ts';
import { whenGone } from './zookeeper/when-gone.ts';

export type {
  ZooKeeperClient,
  ZooKeeperStat,
  ZooKeeperState,
  ZooKeeperTransaction,
} from './zookeeper/client.ts';

/** What {@link zooKeeperTokenSource} takes. */
export interface ZooKeeperTokenSourceOptions {
  /**
   * Makes a client that is not connected yet. It is called when one is needed, and again after a session has expired, as a client
   * has only one session.
   */
  readonly createClient: () => ZooKeeperClient;
  /** The folder of all leases. Default `/fence`; it is made where it is missing. */
  readonly root?: string;
  /** Time; default the system's. It says when a session without a connection is over. */
  readonly clock?: Clock;
}

/** Leases in ZooKeeper. */
export interface ZooKeeperTokenSource
  extends TokenSource,
    CanTakeOver,
    CanInspect,
    CanRaise,
    CanWait,
    CanTellLoss,
    Disposable {
  /** Ends the session, and with it every lease that was granted in it. A connected client keeps the process alive. */
  close(): void;
}

const sourceOptions: OptionChecks<ZooKeeperTokenSourceOptions> = {
  createClient: callable,
  root: anything,
  clock: checkClock,
};

/**
 * Keeps leases in ZooKeeper 3.5 or later, over a client of node-zookeeper-client. A holder has an ephemeral sequential node; the
 * lowest one is granted the lease, and each waiter watches the one before it. The token is the czxid of the holder's node, the number of
 * the change that made it: all of ZooKeeper grows by one with every change, so tokens of a resource grow with gaps.
 *
 * A grant ends with `ttlMs` by the clock of the ensemble, or with the session of its holder. So `ttlMs` may be at most the
 * session timeout that the server has agreed to: a holder that has lost its connection then ends by its own count first.
 * A session that has expired ends its leases as `lost`, and their signals abort.
 *
 * A new ensemble counts from 1 again. Items refuse such tokens; `raise`, or `acquire(…, { above: lastToken })`, goes on from there.
 * See docs/sources.md.
 *
 * @param options `createClient`; `root`, the folder of all leases, default `/fence`; `clock`.
 * @returns a source for `LeaseManager`, to be closed. `data` of a lease must be JSON. Six requests per acquire, four per renewal, three per release.
 * @throws InvalidInputError where an option cannot work.
 * @example
 * const source = zooKeeperTokenSource({ createClient: () => createClient('127.0.0.1:2181', { sessionTimeout: 10_000 }) });
 * const leases = new LeaseManager({ source, ttlMs: 10_000 });
 */
export function zooKeeperTokenSource(options: ZooKeeperTokenSourceOptions): ZooKeeperTokenSource {
  const { createClient, root, clock = systemClock } = checkOptions(options, sourceOptions);
  callable(createClient, 'createClient');
  const sessions = new Sessions(() => checkClient(createClient()), clock);
  const zookeeper: ZooKeeper = { sessions, pathsOf: pathsBelow(root) };
  return {
    acquire: (request, deadline) => acquire(zookeeper, request, deadline),
    renew: (request, deadline) => renew(zookeeper, request, deadline),
    release: (request, deadline) => release(zookeeper, request, deadline),
    takeOver: (request, deadline) => takeOver(zookeeper, request, deadline),
    inspect: (resource, deadline) => inspect(zookeeper, resource, deadline),
    raise: (request, deadline) => raise(zookeeper, request, deadline),
    waitForRelease: (request, signal) => waitForRelease(zookeeper, request, signal),
    whenGone: (grant, signal) => whenGone(zookeeper, grant, signal),
    close: () => sessions.close(),
    [Symbol.dispose]: () => sessions.close(),
  };
}

function checkClient(client: ZooKeeperClient): ZooKeeperClient {
  if (typeof client?.connect === 'function' && typeof client.transaction === 'function') return client;
  throw new InvalidInputError(
    'createClient',
    `it gave ${describe(client)}, which is no client of ZooKeeper`,
    'Return a new createClient(…) of node-zookeeper-client.',
  );
}
