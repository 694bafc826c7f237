import { explore, type Search } from './explore.ts';
import { leaseScenarios } from './lease-scenarios.ts';
import { LEASES, LeaseWorld } from './lease-world.ts';
import { PairStorage } from './row-pair.ts';
import {
  type Cast,
  casts,
  castsOfThree,
  scenario,
  starts,
  transferCasts,
  transferScenario,
} from './scenarios.ts';
import { Storage } from './storage.ts';
import { TransferWorld } from './transfer-world.ts';
import { TABLE, World } from './world.ts';

export type { Search };

/** One search that can be made. */
export interface SearchJob {
  readonly name: string;
  search(limit: number, onState: (states: number) => void): Promise<Search>;
}

/** All searches, with engines that live as long as somebody asks for the next one. */
export async function* searchJobs(): AsyncGenerator<SearchJob> {
  for (const returnItems of [true, false]) {
    const engine = returnItems ? 'items shown' : 'items read';
    await using accounts = await Storage.open(TABLE, 'id', { returnItems });
    for (const cast of [...casts, ...castsOfThree]) {
      for (const [start, row] of Object.entries(starts)) {
        yield {
          name: `${nameOf(cast)}, from ${start}, ${engine}`,
          search: (limit, onState) => explore(() => new World(scenario(row, cast), accounts), limit, onState),
        };
      }
    }
    await using pairs = await PairStorage.open({ returnItems });
    for (const cast of transferCasts) {
      yield {
        name: `transactions: ${nameOf(cast)}, ${engine}`,
        search: (limit, onState) =>
          explore(() => new TransferWorld(transferScenario(cast), pairs), limit, onState),
      };
    }
    await using leases = await Storage.open(LEASES, 'resource', { returnItems });
    for (const [name, lease] of Object.entries(leaseScenarios)) {
      yield {
        name: `leases: ${name}, ${engine}`,
        search: (limit, onState) => explore(() => new LeaseWorld(lease, leases), limit, onState),
      };
    }
  }
}

function nameOf({ programs, resolves = false }: Cast<string>): string {
  return `${programs.map((program) => program.join('+')).join(' | ')}${resolves ? ', resolved' : ''}`;
}
