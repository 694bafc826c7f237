import type { Lease } from '../../src/lease/lease.ts';
import type { LeaseOperation } from './lease-world.ts';
import type { Message } from './network.ts';
import type { Row } from './storage.ts';

/** What became of one lease row and what its managers were told, with the promises that must hold. */
export class LeaseHistory {
  broken: string | undefined;
  /** The token with which the row began. */
  readonly startToken: number;
  readonly #programs: readonly (readonly LeaseOperation[])[];
  readonly #heard: string[][];
  readonly #told: string[] = [];
  readonly #released = new Set<number>();
  #newest: number;

  constructor(programs: readonly (readonly LeaseOperation[])[], start: Row | undefined) {
    this.#programs = programs;
    this.#heard = programs.map(() => []);
    this.startToken = Number(start?.token?.N ?? 0);
    this.#newest = this.startToken;
  }

  heard(client: number, what: string): void {
    this.#heard[client]?.push(what);
  }

  timedOut(client: number, what: string): void {
    this.heard(client, what);
  }

  accepted({ client, operation, copy }: Message, before: Row | undefined, after: Row | undefined): void {
    const verb = this.#programs[client]?.[operation];
    const name = `${verb} of ${client}, copy ${copy}`;
    const [old, token] = [before, after].map((row) => Number(row?.token?.N ?? 0)) as [number, number];
    if (token < old) this.#break(`the token went back: ${name}`);
    if (token > old) {
      if (token <= this.#newest) this.#break(`a token was issued again: ${name}`);
      if (this.#released.has(client) && after?.holder !== undefined) {
        this.#break(`a grant came back after its release: ${name}`);
      }
      this.#newest = token;
      return;
    }
    const owner = before?.holder?.S?.startsWith(`h${client}/`) === true;
    if (!owner) this.#break(`it changed a grant that is not its own: ${name}`);
    const [end, newEnd] = [before, after].map((row) => Number(row?.expiresAtMs?.N ?? 0)) as [number, number];
    if (verb === 'renew' && newEnd < end) this.#break(`a renewal made the grant shorter: ${name}`);
  }

  ended(client: number, operation: LeaseOperation, lease: Lease | undefined, result: unknown): void {
    const { ok, reason, code } = (result ?? {}) as Record<string, unknown>;
    this.#told.push(`${operation}: ${ok === true ? 'ok' : (reason ?? code ?? 'done')}`);
    if (ok === true && lease !== undefined && lease.token > this.#newest) {
      this.#break(`${client} was told of token ${lease.token}, which was never issued`);
    }
    if (operation === 'release' && lease !== undefined && result === undefined) this.#released.add(client);
  }

  get told(): readonly string[] {
    return this.#told;
  }

  get key(): unknown {
    return [this.#heard, this.#newest, [...this.#released]];
  }

  #break(promise: string): void {
    this.broken ??= promise;
  }
}
