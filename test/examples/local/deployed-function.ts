import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { HttpLambda } from '../../../src/http/index.ts';

const runtime = fileURLToPath(new URL('lambda-runtime.mjs', import.meta.url));

/** A bundle that runs in a process of its own, with an environment and nothing else. */
export interface DeployedFunction {
  readonly lambda: HttpLambda;
  /** What it has written so far, to the output and to the errors. */
  output(): string;
  stop(): Promise<void>;
}

/** Loads the bundle and waits until it has. */
export async function deployedFunction(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<DeployedFunction> {
  const child = fork(runtime, [file], {
    env: { ...env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ready = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (ready[0] !== 'ready') throw new Error(`${file} does not load: ${output}`);
  return {
    lambda: callerOf(child),
    output: () => output,
    async stop() {
      // Frozen for ever, as far as it knows: that is how Lambda ends an environment.
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function callerOf(child: ChildProcess): HttpLambda {
  let sent = 0;
  return (event) =>
    new Promise((resolve, reject) => {
      const id = ++sent;
      const listen = (message: { id: number; result: never; error?: string }) => {
        if (message.id !== id) return;
        child.off('message', listen);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(message.error));
      };
      child.on('message', listen);
      child.send({ id, event });
    });
}
