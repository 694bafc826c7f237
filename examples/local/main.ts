// `npm start`: the ledger and the bookings behind HTTP, with the handlers, the routes and the tables that would be deployed.
//
//   --port <number>   listens there (default 3000), 0 for a free one
//   --data <folder>   keeps the data there (default: in memory)
import { once } from 'node:events';
import type { Command } from 'commander';
import { paint, wantsColours } from '../demo/paint.ts';
import { openDatabase } from './database.ts';
import { serve, stop } from './gateway.ts';
import { localApis } from './local-apis.ts';
import { localSeals } from './local-seals.ts';
import { localServer, type Options } from './options.ts';
import { render } from './render.ts';
import { seed, tomorrow } from './seed.ts';
import { story } from './story.ts';
import { synthesise } from './synthesise.ts';

// Printed by the SDK for every process on Node 20, and no news.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

await localServer(run).parseAsync();

async function run({ port, data }: Options, command: Command): Promise<void> {
  const fail = (error: Error) => command.error(`error: ${error.message}`);
  // From the start, so that one that is interrupted meanwhile leaves nothing behind either. A second signal ends it at once.
  const stopped = Promise.race([
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
    once(process.stdout, 'error'),
  ]);
  progress('Synthesising the stacks …');
  const templates = synthesise({ jwtIssuer: 'https://issuer.invalid', jwtAudience: 'local' });
  progress('Opening accounts and slots …');
  const db = await openDatabase(data, templates.data).catch(fail);
  const nowMs = Date.now();
  try {
    const { apis, ledger, bookings } = localApis(templates, db.client(), await localSeals(data));
    await seed(ledger, bookings, nowMs);
    const { server, url } = await serve(apis, port);
    progress('');
    const day = new Date(tomorrow(nowMs)).toISOString().slice(0, 10);
    const chapters = story(url, day);
    const colours = paint(wantsColours(process.stdout.isTTY, process.env));
    process.stdout.write(`${render({ url, data, chapters }, colours).join('\n')}\n`);
    await stopped;
    await stop(server);
  } catch (error) {
    await db.close();
    fail(error as Error);
  }
  await db.close();
}

/** What is being done, in one line that the next one replaces: for people who wait. */
function progress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text}`);
}
