import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';

/*
 * dynoxide: an independent implementation of DynamoDB (Rust over SQLite), here as a judge. It is installed by
 * scripts/install-engines.mjs where the platform fits.
 */

const binary = fileURLToPath(new URL('judges/node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));

export const isDynoxideInstalled = process.platform === 'linux' && existsSync(binary);

export interface Dynoxide {
  readonly endpoint: string;
  stop(): Promise<void>;
}

// Ends the server when its standard input closes, so when this process ends, however it ends: a SIGKILL too.
// The shell gives background jobs no input unless it is handed over, as descriptor 3.
const untilInputCloses = 'exec 3<&0; "$@" 3<&- & server=$!; (read -r _ <&3; kill "$server") & wait "$server"';

/** Starts a server in memory on a free port of the loopback interface. Ready in about 50 ms. */
export async function startDynoxide(): Promise<Dynoxide> {
  // It cannot listen on port 0, so a free port is looked up first, and may be taken in between.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const server = spawn('sh', ['-c', untilInputCloses, 'sh', binary, 'serve', '--port', String(port)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const exited = new Promise<void>((resolve) => server.once('close', () => resolve()));
    const stop = () => {
      server.stdin.end();
      return exited;
    };
    const failure = await listening(server);
    if (failure === undefined) return { endpoint: `http://127.0.0.1:${port}`, stop };
    await stop();
    if (attempt === 5) throw new Error(`dynoxide does not start: ${failure}`);
  }
}

/** Resolves once the server listens; with what it said, where it ended instead. */
function listening(server: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    const onOutput = (chunk: Buffer) => {
      said += chunk;
      if (said.includes('listening on')) resolve(undefined);
    };
    server.stdout?.on('data', onOutput);
    server.stderr?.on('data', onOutput);
    server.once('exit', (code) => resolve(`exit code ${code}, ${said.trim()}`));
  });
}
