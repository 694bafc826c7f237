import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';

/** How a server is started: on a port of the loopback interface, with its data in a folder. */
export interface ServerKind {
  readonly name: string;
  command(port: number, folder: string): Promise<readonly [string, ...string[]]>;
  /** Whether it answers already. */
  isReady(port: number): Promise<boolean>;
}

/** A server of its own for the test that started it. */
export interface ServerProcess extends AsyncDisposable {
  readonly port: number;
  /** Stops it in the middle of whatever it does, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(options?: { readonly withoutData?: boolean }): Promise<void>;
}

/*
 * Ends the server when the standard input closes, so when this process ends, however it ends: a SIGKILL too. The shell
 * gives background jobs no input unless it is handed over, as descriptor 3.
 */
const untilInputCloses =
  'exec 3<&0; "$@" 3<&- & server=$!; echo "pid $server"; (read -r _ <&3; kill -9 "$server") 2>&- & wait "$server"';

/** Starts a server on a free port. */
export async function startServer(kind: ServerKind): Promise<ServerProcess> {
  const root = await mkdtemp(join(tmpdir(), `${kind.name}-`));
  let generation = 0;
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const launch = () => launchServer(kind, port, join(root, `data-${generation}`));
    try {
      let running = await launch();
      return {
        port,
        kill: () => running.kill(),
        async restart({ withoutData = false } = {}) {
          await running.kill();
          if (withoutData) generation++;
          running = await launch();
        },
        async [Symbol.asyncDispose]() {
          await running.kill();
          await rm(root, { recursive: true, force: true, maxRetries: 3 });
        },
      };
    } catch (error) {
      // The port may have been taken since it was looked up.
      if (attempt === 3) throw error;
    }
  }
}

async function launchServer(kind: ServerKind, port: number, folder: string) {
  const command = await kind.command(port, folder);
  const shell = spawn('sh', ['-c', untilInputCloses, 'sh', ...command], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  shell.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const exited = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
  const kill = async () => {
    const pid = /^pid (\d+)$/m.exec(said)?.[1];
    if (pid !== undefined && isRunning(shell)) process.kill(Number(pid), 'SIGKILL');
    shell.stdin.end();
    await exited;
  };
  for (let waited = 0; ; waited += 20) {
    if (await kind.isReady(port)) return { kill };
    if (!isRunning(shell) || waited > 60_000) {
      await kill();
      throw new Error(`${kind.name} does not start: ${said.trim().slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
