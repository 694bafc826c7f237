// Every interleaving of the casts of test/simulation, as far as a limit allows: `npm run search -- --help`.
import { Command, InvalidArgumentError } from 'commander';
import { type Search, type SearchJob, searchJobs } from '../test/simulation/jobs.ts';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

interface Options {
  readonly limit: number;
  readonly only: string;
}

await new Command('search')
  .description('Searches every interleaving of small casts of writers, of leases and of transactions.')
  .option('--limit <states>', 'how many states to enter per cast; 0: all', number, 2_000)
  .option('--only <text>', 'only casts with this in their name', '')
  .action(searchAll)
  .parseAsync();

async function searchAll({ limit, only }: Options): Promise<void> {
  const total = { casts: 0, states: 0, cut: 0, broken: 0 };
  const begun = performance.now();
  for await (const job of searchJobs()) {
    if (!job.name.includes(only)) continue;
    const found = await searchOne(job, limit);
    total.casts += 1;
    total.states += found.states;
    total.cut += found.cut ? 1 : 0;
    total.broken += found.broken === undefined ? 0 : 1;
  }
  const { casts, states, cut, broken } = total;
  console.log(
    `${casts} casts, ${states} states, ${casts - cut - broken} complete, ${cut} cut, ${broken} broken, ${seconds(begun)} s`,
  );
  if (broken > 0) process.exitCode = 1;
}

async function searchOne({ name, search }: SearchJob, limit: number): Promise<Search> {
  const begun = performance.now();
  const onState = (states: number) => {
    if (process.stderr.isTTY && states % 100 === 0) process.stderr.write(`\r\x1b[K${name}: ${states} states`);
  };
  const found = await search(limit === 0 ? Number.POSITIVE_INFINITY : limit, onState);
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const outcome = found.broken !== undefined ? 'BROKEN' : found.cut ? 'cut' : 'complete';
  console.log(`${outcome} ${found.states} states ${seconds(begun)} s  ${name}`);
  if (found.broken !== undefined)
    console.log([...found.broken.trace, `=> ${found.broken.promise}`].join('\n'));
  return found;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

function number(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('Pass a whole number of states, or 0 for all.');
}
