import { abortable } from '../../../fence/abortable.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { isFencingError } from '../../../fence/errors.ts';
import type { Applied } from '../../../fence/result.ts';
import type { Undecided } from '../../token-source.ts';
import { tooLate } from '../too-late.ts';
import { EPHEMERAL_SEQUENTIAL, type ZooKeeperStat, type ZooKeeperTransaction } from './client.ts';
import { isForGood, isNoNode, isOvertaken, isThere } from './failure.ts';
import { nodePrefix, type Paths } from './paths.ts';
import type { Request, Session, Sessions } from './session.ts';

/** Where leases are, and who is asked. */
export interface ZooKeeper {
  readonly sessions: Sessions;
  readonly pathsOf: (resource: string) => Paths;
}

const nothing = Buffer.alloc(0);

/** The requests of one step in one session, and whether any of them may have changed what counts. */
export class Exchange {
  readonly session: Session;
  readonly #signal: AbortSignal;
  #applied: Applied = 'no';

  constructor(session: Session, signal: AbortSignal) {
    this.session = session;
    this.#signal = signal;
  }

  get applied(): Applied {
    return this.#applied;
  }

  /** What time it is by the clock of the ensemble, in ms since the epoch: when a write of ours was made. */
  async time({ clock, root }: Paths): Promise<number> {
    const touch = () => this.#ask<ZooKeeperStat>((client, done) => client.setData(clock, nothing, done));
    try {
      return millis(await touch());
    } catch (error) {
      if (!isNoNode(error)) throw error;
    }
    const folders = root.split('/').slice(1);
    for (let n = 1; n <= folders.length; n++) await this.#make(`/${folders.slice(0, n).join('/')}`);
    await this.#make(clock);
    return millis(await touch());
  }

  /** What a node holds; undefined where it is not there. */
  async read(path: string): Promise<{ readonly text: string; readonly version: number } | undefined> {
    const read: Request<{ text: string; version: number }> = (client, done) =>
      client.getData(path, (error, data, stat) =>
        done(error, error ? undefined : { text: String(data ?? ''), version: stat.version }),
      );
    return this.#ask(read).catch(undefinedIfAbsent);
  }

  async children(path: string): Promise<readonly string[] | undefined> {
    return this.#ask<string[]>((client, done) => client.getChildren(path, done)).catch(undefinedIfAbsent);
  }

  /** The number of the change that made a node; undefined where it is not there. */
  async createdBy(path: string): Promise<bigint | undefined> {
    const stat = await this.#ask<ZooKeeperStat | undefined>((client, done) => client.exists(path, done));
    return stat?.czxid.readBigInt64BE();
  }

  /** Makes the node of a holder, which goes with the session. @returns its name. */
  async join({ lease }: Paths, holder: string): Promise<string> {
    const path = `${lease}/${nodePrefix(holder)}`;
    const made = await this.#change<string>((client, done) =>
      client.create(path, nothing, EPHEMERAL_SEQUENTIAL, done),
    );
    return made.slice(lease.length + 1);
  }

  /** Removes the node of a holder, also where it is gone already. */
  async leave({ lease }: Paths, node: string): Promise<void> {
    const remove: Request<void> = (client, done) => client.remove(`${lease}/${node}`, done);
    await this.#change<void>(remove).catch(undefinedIfAbsent);
  }

  /** Makes changes at once. @returns false where somebody was quicker, and nothing has changed. */
  async commit(build: (transaction: ZooKeeperTransaction) => ZooKeeperTransaction): Promise<boolean> {
    const before = this.#applied;
    try {
      await this.#change<void>((client, done) => build(client.transaction()).commit((error) => done(error)));
      return true;
    } catch (error) {
      if (!isOvertaken(error) && !isThere(error)) throw error;
      this.#applied = before;
      return false;
    }
  }

  async #make(path: string): Promise<void> {
    // Persistent: 0.
    const made = this.#ask<string>((client, done) => client.create(path, nothing, 0, done));
    await made.catch((error: unknown) => {
      if (!isThere(error)) throw error;
    });
  }

  async #change<T>(request: Request<T>): Promise<T> {
    const before = this.#applied;
    this.#applied = 'unknown';
    try {
      return await this.#ask(request);
    } catch (error) {
      if (isForGood(error)) this.#applied = before;
      throw error;
    }
  }

  async #ask<T>(request: Request<T>): Promise<T> {
    this.#signal.throwIfAborted();
    return abortable(this.session.ask(request), this.#signal);
  }
}

function millis(stat: ZooKeeperStat): number {
  return Number(stat.mtime.readBigInt64BE());
}

function undefinedIfAbsent(error: unknown): undefined {
  if (!isNoNode(error)) throw error;
}

/** Takes a step, and turns whatever leaves it undecided into an answer, because the manager decides how long to go on. */
export async function settle<Answer>(
  { sessions }: ZooKeeper,
  deadline: Deadline,
  step: (exchange: Exchange) => Promise<Answer>,
): Promise<Answer | Undecided> {
  if (deadline.over) return tooLate(deadline);
  const exchange = new Exchange(sessions.current(), deadline.signal);
  try {
    await exchange.session.connected(deadline.signal);
    return await step(exchange);
  } catch (error) {
    if (isFencingError(error) || isForGood(error)) throw error;
    return { is: 'undecided', applied: exchange.applied, error };
  }
}
