// How large the functions of the examples are, and how long they take to load beside a bundle of the SDK alone: `npm run
// bench:bundle`. Ends with exit code 1 where one is larger than 400 kB, or takes more than 1.3 times as long.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundlingDefaults } from '../infra/constructs/bundling.ts';

const rounds = 41;
const mostBytes = 400_000;
const mostTimes = 1.3;

const root = fileURLToPath(new URL('../', import.meta.url));

// The client, and the requests that the library sends.
const commands = [
  'BatchGetItem',
  'DescribeTable',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'TransactGetItems',
  'TransactWriteItems',
  'UpdateItem',
].map((name) => `${name}Command`);
const sdkAlone = `
  import { DynamoDBClient, ${commands} } from '@aws-sdk/client-dynamodb';
  const client = new DynamoDBClient({});
  const commands = { ${commands} };
  export const handler = ({ command, input }) => client.send(new commands[command](input));
`;

const inputs = {
  sdk: { stdin: { contents: sdkAlone, resolveDir: root } },
  ledger: { entryPoints: [`${root}examples/ledger/http/lambda.ts`] },
  booking: { entryPoints: [`${root}examples/booking/http/lambda.ts`] },
};
type Name = keyof typeof inputs;
const names = Object.keys(inputs) as Name[];

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
try {
  const file = (name: Name) => join(folder, `${name}.mjs`);
  for (const name of names) await bundle(name, file(name));
  const times: Record<Name, number[]> = { sdk: [], ledger: [], booking: [] };
  // In turn, so that what else the machine does meanwhile is done to all of them.
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times[name].push(msToLoad(file(name)));
  }
  for (const name of names) {
    const bytes = statSync(file(name)).size;
    // Of each round by itself: its processes ran at the same time, and were disturbed alike.
    const ratio = median(times[name].map((ms, round) => ms / (times.sdk[round] ?? Number.NaN)));
    const ms = median(times[name]).toFixed(0);
    console.log(
      `${name.padEnd(8)} ${String(bytes).padStart(7)} bytes  ${ms.padStart(4)} ms  ${ratio.toFixed(2)} times the SDK`,
    );
    if (bytes > mostBytes || ratio > mostTimes) process.exitCode = 1;
  }
  console.log(
    `at most  ${mostBytes} bytes           ${mostTimes} times the SDK; the median of ${rounds} processes each`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** As the functions are bundled that are deployed. */
async function bundle(name: Name, outfile: string): Promise<void> {
  const { minify = false, mainFields = [], externalModules = [], target = '' } = bundlingDefaults;
  const settings = { bundle: true, platform: 'node', format: 'esm', minify, target } as const;
  await build({
    ...{ ...settings, ...inputs[name], outfile, absWorkingDir: root, logLevel: 'warning' },
    ...{ mainFields: [...mainFields], external: [...externalModules] },
  });
}

/** In a process of its own, without the start of Node. */
function msToLoad(file: string): number {
  const load = `const start = performance.now(); await import(process.argv[1]); console.log(performance.now() - start);`;
  const env = {
    ...{
      AWS_REGION: 'us-east-1',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      SEQUENCER_SECRET_ARN: 'arn',
    },
    ...Object.fromEntries(
      ['LEASES', 'ACCOUNTS', 'ENTRIES', 'LINES', 'SLOTS', 'BOOKINGS', 'MARKERS'].map((name) => [
        `${name}_TABLE`,
        name,
      ]),
    ),
  };
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', load, file], { env, encoding: 'utf8' }),
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN;
}
