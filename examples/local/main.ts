// `npm start`: the ledger and the bookings behind HTTP, with the handlers, the routes and the tables that would be deployed.
//
//   --port <number>   listens there (default 3000), 0 for a free one
//   --data <folder>   keeps the data there (default: in memory)
import type { Command } from 'commander';
import { paint, wantsColours } from '../demo/paint.ts';
import { openDatabase } from './database.ts';
import { interruption } from './interruption.ts';
import { localApis } from './local-apis.ts';
import { localSeals } from './local-seals.ts';
import { localServer, type Options } from './options.ts';
import { render } from './render.ts';
import { seed, tomorrow } from './seed.ts';
import { serve } from './serve.ts';
import { story } from './story.ts';
import { synthesise } from './synthesise.ts';

// Printed by the SDK for every process on Node 20, and no news.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

await localServer(run).parseAsync();

async function run(options: Options, command: Command): Promise<void> {
  // From the start, so that one that is interrupted meanwhile leaves nothing behind either. A second signal ends it at once.
  const stopped = interruption();
  try {
    await serveUntil(stopped, options);
  } catch (error) {
    progress('');
    command.error(`error: ${(error as Error).message}`);
  }
}

async function serveUntil(stopped: Promise<unknown>, { port, data }: Options): Promise<void> {
  progress('Synthesising the stacks …');
  const templates = synthesise({ jwtIssuer: 'https://issuer.invalid', jwtAudience: 'local' });
  progress('Opening accounts and slots …');
  const db = await openDatabase(data, templates.data);
  try {
    const { apis, ledger, bookings } = localApis(templates, db.client(), await localSeals(data));
    const nowMs = Date.now();
    await seed(ledger, bookings, nowMs);
    const server = await serve(apis, port);
    try {
      progress('');
      const day = new Date(tomorrow(nowMs)).toISOString().slice(0, 10);
      const chapters = story(server.url, day);
      const colours = paint(wantsColours(process.stdout.isTTY, process.env));
      process.stdout.write(`${render({ url: server.url, data, chapters }, colours).join('\n')}\n`);
      await stopped;
    } finally {
      await server.stop();
    }
  } finally {
    await db.close();
  }
}

/** What is being done, in one line that the next one replaces: for people who wait. */
function progress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text}`);
}
