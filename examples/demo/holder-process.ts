import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Message, Order, Outcome, Withdrawal } from './messages.ts';

const program = fileURLToPath(new URL('holder.ts', import.meta.url));

// Kills the holder as soon as our end of its shell's input closes, so when this process ends, however it ends.
// A holder that is stopped hears no signal but this one. The shell lets go of the holder's channel (3), so that
// we hear of it when the holder ends by itself.
const untilInputCloses =
  'trap "" HUP INT TERM; "$@" & holder=$!; exec 3<&-; read -r _; kill -KILL "$holder"; wait "$holder" 2>/dev/null';

/** Where a holder works. */
export interface HolderDesk {
  /** Of DynamoDB. */
  readonly endpoint: string;
  readonly leaseMs: number;
  readonly source: string;
  /** Of the lock service. */
  readonly address: string;
}

/** No answer takes longer than this, in ms, also where other work keeps the machine busy. */
const patienceMs = 60_000;

/** One of the two processes, from outside. */
export class HolderProcess implements AsyncDisposable {
  readonly #name: string;
  readonly #shell: ChildProcess;
  readonly #heard = new EventEmitter();
  readonly #failed: Promise<never>;
  #pid = 0;

  private constructor(name: string, shell: ChildProcess) {
    this.#name = name;
    this.#shell = shell;
    this.#failed = new Promise((_, reject) => {
      const fail = (why: string) => reject(new Error(`${name} ${why}`));
      shell.on('message', (message: Message) => {
        if (message.is === 'failed') fail(`failed: ${message.error}`);
        else this.#heard.emit(message.is, message);
      });
      shell.once('error', (error) => fail(`could not be started: ${error.message}`));
      shell.once('disconnect', () => fail('has ended'));
    });
    // Whoever waits for something is told; where nobody waits it is no fault, as at the end.
    this.#failed.catch(() => undefined);
  }

  /** Starts the process, and waits until it takes orders. */
  static async start(
    name: string,
    desk: HolderDesk,
    execArgv: readonly string[] = process.execArgv,
  ): Promise<HolderProcess> {
    const args = [name, desk.endpoint, String(desk.leaseMs), desk.source, desk.address];
    const command = [process.execPath, ...execArgv, program, ...args];
    const shell = spawn('sh', ['-c', untilInputCloses, 'sh', ...command], {
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    });
    const holder = new HolderProcess(name, shell);
    holder.#pid = (await holder.#hear('ready')).pid;
    return holder;
  }

  /** Begins a withdrawal. Resolves when the process is about to write. */
  async begin(withdrawal: Withdrawal): Promise<void> {
    const aboutToWrite = this.#hear('about-to-write');
    this.#tell({ do: 'withdraw', withdrawal });
    await aboutToWrite;
  }

  /** Lets it write, as soon as it runs. Resolves when it is done. */
  async goOn(): Promise<Outcome> {
    const done = this.#hear('done');
    this.#tell({ do: 'go-on' });
    return (await done).outcome;
  }

  /** Stops the process wherever it is, as a paused machine or a frozen function would be. */
  stop(): void {
    process.kill(this.#pid, 'SIGSTOP');
  }

  continue(): void {
    process.kill(this.#pid, 'SIGCONT');
  }

  #tell(order: Order): void {
    this.#shell.send(order);
  }

  async #hear<Is extends Message['is']>(is: Is): Promise<Extract<Message, { readonly is: Is }>> {
    const signal = AbortSignal.timeout(patienceMs);
    const heard = once(this.#heard, is, { signal }).catch(() => {
      throw new Error(`${this.#name} was not ${is} within ${patienceMs} ms`);
    });
    const [message] = await Promise.race([heard, this.#failed]);
    return message;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#shell, 'exit', { signal: AbortSignal.timeout(patienceMs) });
    this.#shell.stdin?.end();
    await ended;
  }
}
