import { parseArgs } from 'node:util';
import { type Plot, plots } from './stories.ts';

export interface Options {
  readonly json: boolean;
  readonly plots: readonly Plot[];
}

/** Reads the command line. @throws an Error that names the option which is not known. */
export function parseOptions(args: string[]): Options {
  const names: readonly string[] = plots.map(({ name }) => name);
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean', default: false },
      story: { type: 'string', multiple: true, default: [...names] },
      without: { type: 'string' },
    },
  });
  for (const name of values.story) {
    if (!names.includes(name)) throw new Error(`--story ${name}: the stories are ${names.join(', ')}.`);
  }
  const wanted = plots.filter(({ name }) => values.story.includes(name));
  return { json: values.json, plots: wanted.map((plot) => weakened(plot, values.without)) };
}

function weakened(plot: Plot, without: string | undefined): Plot {
  if (without === undefined) return plot;
  if (without === 'claim') return { ...plot, reading: 'get' };
  if (without === 'fence') return { ...plot, fenced: false };
  throw new Error(`--without ${without}: what can be left out is claim or fence.`);
}
