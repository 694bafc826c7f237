// The bank of test/bank for as long as you like, on every engine: `npm run bank -- --help`.
import { Command, InvalidArgumentError, Option } from 'commander';
import { unbitten, violations } from '../test/bank/invariants.ts';
import { type Mishap, mishaps, type Plan, planOf } from '../test/bank/plan.ts';
import { type Run, runBank } from '../test/bank/run-bank.ts';
import { engines } from '../test/engines/engines.ts';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

interface Options {
  readonly seed: number;
  readonly transfers: number;
  readonly accounts: number;
  readonly workers: number;
  readonly engine: readonly string[];
}

await new Command('bank')
  .description('Moves money between accounts while workers are stopped, killed and not heard, and counts it.')
  .option('--seed <number>', 'what chance decides follows from it', count, 1)
  .option('--transfers <number>', 'how many; 50 at least', count, 5_000)
  .option('--accounts <number>', 'between how many', count, 20)
  .option('--workers <number>', 'how many processes', count, 8)
  .addOption(
    new Option('--engine <names...>', 'on which')
      .choices(engines.map(({ name }) => name))
      .default(engines.filter(({ returnsItems }) => returnsItems).map(({ name }) => name)),
  )
  .action(runAll)
  .parseAsync();

async function runAll({ engine: names, workers, ...options }: Options): Promise<void> {
  const plan = planOf(options);
  for (const engine of engines.filter(({ name }) => names.includes(name))) {
    const begun = performance.now();
    await using running = await engine.start();
    const run = await runBank(running, plan, { workers, onProgress: progress(engine.name, plan) });
    const wrong = [...(await violations(plan, run)), ...unbitten(plan, run)];
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
    console.log(
      `${engine.name}, seed ${options.seed}, ${workers} workers, ${seconds} s: ${figures(plan, run)}`,
    );
    for (const what of wrong) console.log(`  WRONG: ${what}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
}

function progress(engine: string, { orders }: Plan): (done: number) => void {
  if (!process.stderr.isTTY) return () => {};
  return (done) =>
    process.stderr.write(
      `\r\x1b[K${engine}: ${done} of ${orders.length}${done === orders.length ? '\n' : ''}`,
    );
}

function figures({ orders }: Plan, { told, struck, killed }: Run): string {
  const answers = [...told.values()].flatMap((one) => one.answers);
  const moved = answers.filter((answer) => answer.is === 'moved');
  const refused = new Map<string, number>();
  for (const answer of answers) {
    if (answer.is === 'refused') refused.set(answer.reason, (refused.get(answer.reason) ?? 0) + 1);
  }
  const bites = mishaps.map((mishap: Mishap) => {
    const times = orders.filter((order) => order.mishap === mishap && struck.has(order.key)).length;
    return `${mishap} ${times}`;
  });
  return [
    `${moved.length} of ${orders.length} transfers moved, ${moved.filter(({ replayed }) => replayed).length} of them replayed`,
    `refused ${[...refused].map(([reason, times]) => `${reason} ${times}`).join(', ')}`,
    `unknown ${answers.filter(({ is }) => is === 'unknown').length}`,
    `killed workers ${killed}`,
    `mishaps ${bites.join(', ')}`,
  ].join('; ');
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Pass a whole number greater than 0.');
}
