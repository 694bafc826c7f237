import { isLive } from './item-row.ts';
import type { Message } from './network.ts';
import type { RowPair } from './row-pair.ts';
import type { Row } from './storage.ts';
import { saysNo, tell } from './told.ts';
import type { TransferOperation } from './transfer-world.ts';

interface Fate {
  applied: number;
  told: string | undefined;
}

/** What became of two accounts and of those who move money between them, with the promises that must hold. */
export class TransferHistory {
  broken: string | undefined;
  readonly #programs: readonly (readonly TransferOperation[])[];
  readonly #fates: Fate[][];
  readonly #heard: string[][];
  readonly #lostAnswers = new Set<number>();
  readonly #newest = { a: 0, b: 0 };

  constructor(programs: readonly (readonly TransferOperation[])[]) {
    this.#programs = programs;
    this.#fates = programs.map((program) => program.map(() => ({ applied: 0, told: undefined })));
    this.#heard = programs.map(() => []);
  }

  heard(client: number, what: string): void {
    this.#heard[client]?.push(what);
  }

  timedOut(client: number, what: string): void {
    this.#lostAnswers.add(client);
    this.heard(client, what);
  }

  accepted({ client, operation, copy, op }: Message, before: RowPair, after: RowPair): void {
    const verb = this.#programs[client]?.[operation];
    const token = client + 1;
    const name = `${verb} of token ${token}, copy ${copy}`;
    for (const key of ['a', 'b'] as const) {
      if (before[key] === after[key] || same(before[key], after[key])) continue;
      this.#require(token >= this.#newest[key], `an older token was accepted after a newer one: ${name}`);
      this.#newest[key] = token;
      const claims = verb === 'claim' || !Number.isInteger(Number(after[key]?._fenceSeq?.N));
      const kept = balanceOf(before[key]) === balanceOf(after[key]);
      this.#require(!claims || kept, `a claim changed the item: ${name}`);
    }
    if (verb === 'claim' || (verb === 'transfer' && op !== 'TransactWriteItems')) return;
    const fate = this.#fate(client, operation);
    fate.applied += 1;
    this.#require(fate.applied === 1, `one logical write was applied twice: ${name}`);
    const told = fate.told ?? 'outcome-unknown';
    this.#require(!saysNo(told), `the caller was told ${told}, and then it was applied: ${name}`);
    if (verb !== 'transfer') return;
    const moved =
      balanceOf(after.a) === balanceOf(before.a) - 1 && balanceOf(after.b) === balanceOf(before.b) + 1;
    this.#require(moved && balanceOf(before.a) >= 1, `a transfer was not applied as a whole: ${name}`);
  }

  ended(client: number, operation: number, result: unknown): void {
    const verb = this.#programs[client]?.[operation];
    const fate = this.#fate(client, operation);
    const told = tell(result);
    fate.told = told;
    const open = told === 'outcome-unknown' || told === 'contention';
    const lost = this.#lostAnswers.has(client);
    this.#require(!open || lost, `every answer arrived, and yet the caller was told ${told}: ${verb}`);
    this.#require(!/Error|Exception/.test(told), `a call failed with ${told}: ${verb}`);
    if (verb === 'claim') return;
    const { applied } = fate;
    this.#require(told !== 'ok' || applied === 1, `ok, and applied ${applied} times: ${verb}`);
    this.#require(!saysNo(told) || applied === 0, `the caller was told ${told}, and it was applied: ${verb}`);
  }

  get told(): readonly string[] {
    return this.#fates.flat().flatMap(({ told }) => told ?? []);
  }

  get key(): unknown {
    return [this.#fates, this.#heard, this.#newest];
  }

  #fate(client: number, operation: number): Fate {
    return this.#fates[client]?.[operation] as Fate;
  }

  #require(holds: boolean, promise: string): void {
    if (!holds) this.broken ??= promise;
  }
}

function same(one: Row | undefined, other: Row | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function balanceOf(row: Row | undefined): number {
  return isLive(row) ? Number(row?.balance?.N) : 0;
}
