import { abortable } from '../../../fence/abortable.ts';
import type { Clock } from '../../../fence/clock.ts';
import { isFencingError } from '../../../fence/errors.ts';
import { linkedSignal } from '../../linked-signal.ts';
import type { ZooKeeperClient, ZooKeeperStat, ZooKeeperState } from './client.ts';
import { isForGood, SessionOver } from './failure.ts';

/** A request, and who hears its answer. */
export type Request<T> = (client: ZooKeeperClient, done: (error: unknown, value?: T) => void) => void;

/** One session: it outlives broken connections, and ends once. */
export class Session {
  readonly client: ZooKeeperClient;
  /** Aborts when it ends. */
  readonly over: AbortSignal;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #waiting = new Set<() => void>();
  readonly #watches = new Map<string, Promise<void>>();
  #owed: (() => Promise<void>)[] = [];
  #stopCounting = () => {};
  #unanswered = 0;
  #stopListening = () => {};

  constructor(client: ZooKeeperClient, clock: Clock) {
    this.client = client;
    this.#clock = clock;
    this.over = this.#ending.signal;
    client.on('state', (state) => this.#onState(state));
    client.connect();
    this.#countDown();
  }

  get isConnected(): boolean {
    return this.client.getState().name === 'SYNC_CONNECTED';
  }

  /**
   * Waits for the connection. Nothing is asked before: a request that the client keeps until it is connected would be sent long after
   * its caller has given up.
   */
  async connected(signal: AbortSignal): Promise<void> {
    this.over.throwIfAborted();
    if (this.isConnected) return;
    const link = linkedSignal([signal, this.over]);
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.add(wake);
    try {
      await abortable(woken, link.signal);
    } finally {
      this.#waiting.delete(wake);
      link[Symbol.dispose]();
    }
  }

  /**
   * Has something done once there is a connection again, if the session still stands then: the end of the session is the end of all nodes
   * that it is about. What the server refuses for good is left.
   */
  owe(job: () => Promise<void>): void {
    this.#owed.push(job);
    if (this.isConnected) this.#settleDebts();
  }

  /**
   * Asks the server. What the client keeps for a session that has ended is never answered, so the end of the session ends it, too.
   *
   * @throws what the server answers, or the end of the session.
   */
  async ask<T>(request: Request<T>): Promise<T> {
    this.over.throwIfAborted();
    const answer = new Promise<T>((resolve, reject) => {
      this.#unanswered++;
      if (this.#unanswered === 1) this.#listen();
      request(this.client, (error, value) => {
        this.#unanswered--;
        this.#listen();
        if (error) reject(error);
        else resolve(value as T);
      });
    });
    return abortable(answer, this.over);
  }

  /** Resolves when something happens to a node, or it is not there; rejects with the end of the session. All that watch a node share one watch. */
  watch(path: string): Promise<void> {
    const known = this.#watches.get(path);
    if (known !== undefined) return known;
    const changed = new Promise<void>((resolve, reject) => {
      const stat = this.ask<ZooKeeperStat>((client, done) => client.exists(path, () => resolve(), done));
      stat.then((there) => {
        if (there === undefined || there === null) resolve();
      }, reject);
    });
    const watch = abortable(changed, this.over);
    this.#watches.set(path, watch);
    const forget = () => this.#watches.delete(path);
    watch.then(forget, forget);
    return watch;
  }

  close(): void {
    this.client.close();
    this.#end(new SessionOver('the session with ZooKeeper was closed'));
  }

  #onState({ name }: ZooKeeperState): void {
    if (name === 'SYNC_CONNECTED') {
      this.#stopCounting();
      for (const wake of [...this.#waiting]) wake();
      this.#settleDebts();
    } else if (name === 'DISCONNECTED') {
      this.#countDown();
    } else if (name === 'EXPIRED') {
      this.#end(new SessionOver('the session with ZooKeeper has expired'));
    } else if (name === 'AUTH_FAILED') {
      this.#end(new Error('ZooKeeper does not accept who this is'));
    }
  }

  /**
   * Without a connection for as long as it lasts, a session is over, but only a server could say so; and one that has lost its data
   * says nothing to a client that has seen more.
   */
  #countDown(): void {
    this.#stopCounting();
    this.#stopCounting = this.#whenItsTimeIsOver(() => {
      if (!this.isConnected && !this.over.aborted)
        this.#giveUp('the session with ZooKeeper had no connection for longer than it lasts');
    });
  }

  /**
   * The client does not notice that nobody answers: packets that get lost on the way break no connection. Its pings keep it waiting for as
   * long as the system does, a quarter of an hour.
   */
  #listen(): void {
    this.#stopListening();
    if (this.#unanswered === 0 || this.over.aborted) return;
    this.#stopListening = this.#whenItsTimeIsOver(() =>
      this.#giveUp('the server of ZooKeeper answered nothing for longer than a session lasts'),
    );
  }

  #whenItsTimeIsOver(callback: () => void): () => void {
    return this.#clock.after(this.client.getSessionTimeout(), callback, { unref: true });
  }

  #giveUp(why: string): void {
    this.client.close();
    this.#end(new SessionOver(why));
  }

  #settleDebts(): void {
    for (const job of this.#owed.splice(0)) {
      job().catch((error: unknown) => {
        if (!this.over.aborted && !isForGood(error) && !isFencingError(error)) this.#owed.push(job);
      });
    }
  }

  #end(reason: Error): void {
    this.#owed = [];
    this.#stopCounting();
    this.#stopListening();
    this.#ending.abort(reason);
  }
}

/** The session of a source. A new one is begun when it is needed and the one before has ended. */
export class Sessions {
  readonly #make: () => ZooKeeperClient;
  readonly #clock: Clock;
  #session: Session | undefined;
  #closed = false;

  constructor(make: () => ZooKeeperClient, clock: Clock) {
    this.#make = make;
    this.#clock = clock;
  }

  current(): Session {
    if (this.#closed) throw new SessionOver('the source is closed');
    if (this.#session === undefined || this.#session.over.aborted)
      this.#session = new Session(this.#make(), this.#clock);
    return this.#session;
  }

  close(): void {
    this.#closed = true;
    this.#session?.close();
  }
}
