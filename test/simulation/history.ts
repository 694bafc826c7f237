import { contentOf, isLive } from './item-row.ts';
import type { Message } from './network.ts';
import type { Operation } from './operations.ts';
import type { Row } from './storage.ts';
import { saysNo, tell } from './told.ts';

interface Program {
  readonly token: number;
  readonly program: readonly Operation[];
}

/** What happened to one logical operation so far. */
interface Fate {
  /** How often the storage accepted a copy of it. */
  applied: number;
  /** What its caller was told: undefined while it is under way. */
  told: string | undefined;
}

/**
 * What the storage did and what the callers were told, side by side, with the promises that must hold
 * between the two. A broken promise stays in `broken`.
 */
export class History {
  broken: string | undefined;
  readonly #writers: readonly Program[];
  readonly #fates: Fate[][];
  readonly #heard: string[][];
  #newest = 0;
  // What the last claim of each client found, as the version of the content.
  readonly #claimed: (string | undefined)[];
  readonly #lostAnswers = new Set<number>();

  constructor(writers: readonly Program[]) {
    this.#writers = writers;
    this.#fates = writers.map(({ program }) => program.map(() => ({ applied: 0, told: undefined })));
    this.#heard = writers.map(() => []);
    this.#claimed = writers.map(() => undefined);
  }

  heard(client: number, what: string): void {
    this.#heard[client]?.push(what);
  }

  timedOut(client: number, what: string): void {
    this.#lostAnswers.add(client);
    this.heard(client, what);
  }

  /** Whether the client's last claim told it what there is. */
  hasClaimed(client: number): boolean {
    return this.#claimed[client] !== undefined;
  }

  accepted({ client, operation, copy }: Message, before: Row | undefined, after: Row | undefined): void {
    const { token, program } = this.#writers[client] as Program;
    const verb = program[operation] as Operation;
    const name = `${verb} of token ${token}, copy ${copy}`;
    if (token < this.#newest) this.#break(`an older token was accepted after a newer one: ${name}`);
    this.#newest = Math.max(this.#newest, token);
    const seals = !Number.isInteger(Number(after?._fenceSeq?.N ?? 0));
    if (verb === 'claim' || seals) {
      if (isLive(before) !== isLive(after)) this.#break(`a claim changed whether there is an item: ${name}`);
      return;
    }
    const fate = this.#fate(client, operation);
    fate.applied += 1;
    if (fate.applied > 1) this.#break(`one logical write was applied twice: ${name}`);
    if (fate.told !== undefined && saysNo(fate.told))
      this.#break(`the caller was told ${fate.told}, and then it was applied: ${name}`);
    if (['add', 'subtract'].includes(verb) && !isLive(before))
      this.#break(`an update made an item out of nothing: ${name}`);
    if (verb === 'overwrite' && this.#claimed[client] !== contentOf(before)) {
      this.#break(`an update was lost: ${name} overwrote what its claim had not read`);
    }
  }

  ended(client: number, operation: number, result: unknown): void {
    const verb = this.#writers[client]?.program[operation];
    const fate = this.#fate(client, operation);
    fate.told = tell(result);
    const undecided = fate.told === 'outcome-unknown' || fate.told === 'contention';
    if (undecided && !this.#lostAnswers.has(client)) {
      this.#break(`every answer arrived, and yet the caller was told ${fate.told}: ${verb}`);
    }
    if (verb === 'claim') {
      const { ok, version } = result as { ok?: boolean; version?: string };
      this.#claimed[client] = ok === true ? (version ?? 'nothing') : undefined;
      return;
    }
    if (fate.told === 'ok' && fate.applied !== 1)
      this.#break(`ok, and applied ${fate.applied} times: ${verb}`);
    if (saysNo(fate.told) && fate.applied > 0)
      this.#break(`the caller was told ${fate.told}, and it was applied: ${verb}`);
  }

  get key(): unknown {
    return [this.#fates, this.#heard, this.#newest];
  }

  /** What callers were told in this run. */
  get told(): readonly string[] {
    return this.#fates.flat().flatMap(({ told }) => told ?? []);
  }

  #fate(client: number, operation: number): Fate {
    return this.#fates[client]?.[operation] as Fate;
  }

  #break(promise: string): void {
    this.broken ??= promise;
  }
}
