/** A connection that listens, as a client library has it. */
export interface Subscriber {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

/** Opens one. `lost` is called where it breaks. */
export type OpenSubscriber = (heard: (channel: string) => void, lost: () => void) => Promise<Subscriber>;

/**
 * All the channels that anybody here listens to, over one connection: a connection that subscribes can do nothing else,
 * and one for each waiter would be too many. It is opened for the first listener and closed after the last one, so
 * that nothing is left open that nobody closes.
 */
export class Channels {
  readonly #open: OpenSubscriber;
  readonly #listeners = new Map<string, Set<() => void>>();
  #subscriber: Promise<Subscriber> | undefined;

  constructor(open: OpenSubscriber) {
    this.#open = open;
  }

  async listen(channel: string, wake: () => void): Promise<() => void> {
    // One of its own for each call, as the same function may be given twice.
    const listener = () => wake();
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    const leave = () => this.#leave(channel, listener);
    try {
      await (await this.#connection()).subscribe(channel);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  #connection(): Promise<Subscriber> {
    if (this.#subscriber !== undefined) return this.#subscriber;
    const opened: Promise<Subscriber> = this.#open(
      (channel) => wakeAll(this.#listeners.get(channel)),
      () => this.#lose(opened),
    );
    this.#subscriber = opened;
    opened.catch(() => this.#lose(opened));
    return opened;
  }

  #leave(channel: string, listener: () => void): void {
    const listeners = this.#listeners.get(channel);
    if (listeners?.delete(listener) !== true || listeners.size > 0) return;
    this.#listeners.delete(channel);
    const subscriber = this.#subscriber;
    if (this.#listeners.size > 0)
      subscriber?.then((open) => open.unsubscribe(channel)).catch(() => undefined);
    else this.#drop(subscriber);
  }

  #lose(subscriber: Promise<Subscriber>): void {
    if (this.#subscriber !== subscriber) return;
    this.#drop(subscriber);
    const missed = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listeners of missed) wakeAll(listeners);
  }

  #drop(subscriber: Promise<Subscriber> | undefined): void {
    this.#subscriber = undefined;
    subscriber?.then((open) => open.close()).catch(() => undefined);
  }
}

function wakeAll(listeners: Set<() => void> | undefined): void {
  for (const wake of [...(listeners ?? [])]) wake();
}
