import { parseArgs } from 'node:util';
import { type Plot, plots } from './stories.ts';
import { type SourceName, sourceNames } from './token-sources.ts';

export interface Options {
  readonly json: boolean;
  readonly plots: readonly Plot[];
  /** What grants the leases. */
  readonly source: SourceName;
  /** Of a server that runs already; undefined to start one. */
  readonly address: string | undefined;
}

export const usage = `npm run demo -- [--json] [--source ${sourceNames.join('|')}] [--address <of a server that runs>]
                [--story ${plots.map(({ name }) => name).join('|')}] … [--without claim|fence]`;

/** Reads the command line. @throws an Error that names the option which is not known. */
export function parseOptions(args: string[]): Options {
  const names: readonly string[] = plots.map(({ name }) => name);
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean', default: false },
      story: { type: 'string', multiple: true, default: [...names] },
      without: { type: 'string' },
      source: { type: 'string', default: 'dynamodb' },
      address: { type: 'string' },
    },
  });
  for (const name of values.story) {
    if (!names.includes(name)) throw new Error(`--story ${name}: the stories are ${names.join(', ')}.`);
  }
  const { source, address } = values;
  if (!sourceNames.includes(source)) {
    throw new Error(`--source ${source}: the sources are ${sourceNames.join(', ')}.`);
  }
  if (source === 'dynamodb' && address !== undefined) {
    throw new Error('--address: leases in DynamoDB are kept by the one that this demo starts.');
  }
  const wanted = plots.filter(({ name }) => values.story.includes(name));
  const played = wanted.map((plot) => weakened(plot, values.without));
  return { json: values.json, plots: played, source: source as SourceName, address };
}

function weakened(plot: Plot, without: string | undefined): Plot {
  if (without === undefined) return plot;
  if (without === 'claim') return { ...plot, reading: 'get' };
  if (without === 'fence') return { ...plot, fenced: false };
  throw new Error(`--without ${without}: what can be left out is claim or fence.`);
}
