// `npm run demo`: shows what happens when a holder of a lease is stopped for longer than its lease.
//
//   --json             prints the report for machines
//   --source <name>    takes the leases from redis, etcd or zookeeper, of a server that is started for it; default dynamodb
//   --address <where>  of a server that runs already: redis://…, http://…, host:port
//   --story <name>     plays this story alone: plain, fenced, gap-get or gap-claim; may be given several times
//   --without claim    reads with get() where it should claim, and
//   --without fence    writes plainly where it should carry the fence: to see that the demo notices
//
// The exit code is 1 if anything came out otherwise than expected.
import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
import { accountsTable, leasesTable } from './accounts.ts';
import { HolderProcess } from './holder-process.ts';
import { type LockServer, NotInstalled, startLockServer } from './lock-server.ts';
import { type Options, parseOptions, usage } from './options.ts';
import { paint, wantsColours } from './paint.ts';
import { render } from './render.ts';
import { type Report, report, type Story } from './report.ts';
import { play } from './stories.ts';
import { lockServices } from './token-sources.ts';

// Printed by the SDK for every process on Node 20, and no part of the story.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

if (process.platform === 'win32') {
  console.error(
    'This demo stops a process with SIGSTOP, which Windows does not have. It runs on Linux and macOS.',
  );
  process.exit(1);
}

const options = optionsOf(process.argv.slice(2));
const found = await run(options).catch((error: unknown) => {
  console.error(error instanceof NotInstalled ? error.message : error);
  process.exit(1);
});
const colours = wantsColours(process.stdout.isTTY, process.env);
console.log(options.json ? JSON.stringify(found, null, 2) : render(found, paint(colours)).join('\n'));
process.exitCode = found.ok ? 0 : 1;

function optionsOf(args: string[]): Options {
  try {
    return parseOptions(args);
  } catch (error) {
    console.error(`error: ${(error as Error).message}\n${usage}`);
    process.exit(1);
  }
}

async function run({ plots, source, address }: Options): Promise<Report> {
  const service = source === 'dynamodb' ? undefined : lockServices[source];
  const leaseMs = service?.leaseMs ?? 500;
  await using locks = await lockServer(source, address);
  await using db = await startLocalDynamoDB({ port: 0 });
  const desk = { endpoint: db.endpoint, leaseMs, source, address: locks.address };
  const start = (name: string) => HolderProcess.start(name, desk);
  const starting = [start('A'), start('B')] as const;
  await db.createTable({ tableName: leasesTable, partitionKey: 'resource' });
  await db.createTable({ tableName: accountsTable, partitionKey: 'id' });
  await using a = await starting[0];
  await using b = await starting[1];
  const stories: Story[] = [];
  for (const plot of plots) stories.push(await play({ a, b, client: db.client(), leaseMs }, plot));
  return report(leaseMs, stories, service?.title);
}

async function lockServer(source: Options['source'], address: string | undefined): Promise<LockServer> {
  if (source !== 'dynamodb' && address === undefined) return startLockServer(source);
  return { address: address ?? '', [Symbol.asyncDispose]: async () => {} };
}
