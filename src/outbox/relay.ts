import { sleep } from '../fence/clock.ts';
import type { Lease } from '../lease/lease.ts';
import type { UsingResult } from '../lease/lease-result.ts';
import { relayResource } from './outbox-table.ts';
import type { Delivery, Relayed, RelayOptions } from './relay-options.ts';
import { type Sending, type Sent, sendPending } from './send-pending.ts';
import { unsentResources } from './unsent-resources.ts';

/** What a relay works with. */
export interface RelaySettings<M> extends Sending<M> {
  readonly pollMs: number;
  readonly untilEmpty: boolean;
  readonly onError: RelayOptions<M>['onError'];
  /** Works under a lease, if nobody else has it. */
  using(resource: string, work: (lease: Lease) => Promise<Sent<M>>): Promise<UsingResult<Sent<M>>>;
}

/** A run of a relay: looks for messages, sends them, waits, and looks again, until it is told to end. */
export class Relay<M> {
  readonly #settings: RelaySettings<M>;
  #delivered = 0;
  #failed = 0;
  #refused = 0;

  constructor(settings: RelaySettings<M>) {
    this.#settings = settings;
  }

  async run(): Promise<Relayed> {
    const { signal, clock, pollMs, untilEmpty } = this.#settings;
    while (!signal.aborted) {
      const before = this.#delivered;
      const found = await this.#look();
      if (found === 0 && untilEmpty) break;
      // Where there was something to do, there may be more by now.
      if (this.#delivered > before) continue;
      await sleep(clock, pollMs, signal).catch(() => undefined);
    }
    return { delivered: this.#delivered, failed: this.#failed, refused: this.#refused };
  }

  /** One look at all resources. @returns how many had messages, or undefined where that could not be found out. */
  async #look(): Promise<number | undefined> {
    const { rows, signal } = this.#settings;
    const resources = unsentResources(rows, signal);
    for (let found = 0; ; found++) {
      const next = await this.#trying(() => resources.next());
      if (next === undefined) return undefined;
      if (next.done === true || signal.aborted) return found;
      await this.#send(next.value);
    }
  }

  async #send(resource: string): Promise<void> {
    const used = await this.#trying(() =>
      this.#settings.using(relayResource(resource), (lease) =>
        sendPending(this.#settings, resource, lease, () => {
          this.#delivered++;
        }),
      ),
    );
    if (used?.ok !== true) return;
    const sent = used.value;
    if (sent === 'refused') this.#refused++;
    if (typeof sent === 'object') this.#tell(sent.failed, sent.delivery);
  }

  /** A fault of the storage ends one look; being told to end is none. */
  async #trying<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!this.#settings.signal.aborted) this.#tell(error, undefined);
      return undefined;
    }
  }

  /** @throws the error, where nobody is told of errors. */
  #tell(error: unknown, delivery: Delivery<M> | undefined): void {
    this.#failed++;
    const { onError } = this.#settings;
    if (onError === undefined) throw error;
    onError(error, delivery);
  }
}
