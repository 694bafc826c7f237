import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { startLocalDynamoDB } from '../testing/local-dynamodb.ts';

interface LocalOptions {
  readonly port: number;
  readonly host: string;
  readonly path?: string;
  readonly conflicts: 'queue' | 'reject';
  readonly items: boolean;
}

/** `dynamodb-fenced local`: a DynamoDB on this machine, until it is interrupted. */
export function localCommand(): Command {
  return new Command('local')
    .description('Run a local DynamoDB, with transactions, until it is interrupted.')
    .option('--port <number>', 'port to listen on, 0 for a free one', toPort, 8000)
    .option('--host <address>', 'address to listen on', notEmpty, '127.0.0.1')
    .option('--path <folder>', 'folder that keeps the data (default: in memory)', notEmpty)
    .addOption(
      new Option('--conflicts <how>', 'who meets a running transaction waits for it, or is turned away')
        .choices(['queue', 'reject'])
        .default('queue'),
    )
    .option('--no-items', 'ignore ReturnValuesOnConditionCheckFailure, as older engines do')
    .action(runLocal);
}

async function runLocal(options: LocalOptions, command: Command): Promise<void> {
  const { port, host, path, conflicts, items } = options;
  const db = await startLocalDynamoDB({
    port,
    host,
    conflicts,
    returnItems: items,
    ...(path === undefined ? {} : { path }),
  }).catch((error: Error) => command.error(`error: ${error.message}`));
  // Not before it runs: a start may take its time, and until then a signal ends the process as it ends any other.
  const stopped = Promise.race([
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
    once(process.stdout, 'error'),
  ]);
  const where = path === undefined ? 'in memory' : `data in ${path}`;
  process.stdout.write(`Local DynamoDB at ${db.endpoint}, ${where}.\n`);
  await stopped;
  await db.close();
}

/** A variable of a shell that is not set becomes an empty text. */
function notEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}
