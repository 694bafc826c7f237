import { Command, InvalidArgumentError } from 'commander';

/** How the local server is started. */
export interface Options {
  readonly port: number;
  /** The folder that keeps the data; none keeps them in memory. */
  readonly data?: string;
}

/** The command line. What is wrong in it ends the process, with a line that says so. */
export function localServer(run: (options: Options, command: Command) => Promise<void>): Command {
  return new Command('npm start --')
    .description('Run the ledger and the bookings behind HTTP, on a local DynamoDB, until it is interrupted.')
    .option('--port <number>', 'port to listen on, 0 for a free one', toPort, 3000)
    .option('--data <folder>', 'folder that keeps the data (default: in memory)', notEmpty)
    .action(run);
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

/** A variable of a shell that is not set becomes an empty text. */
function notEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}
