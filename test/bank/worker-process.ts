import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Answer, Message, Order, WorkerSettings } from './messages.ts';

const program = fileURLToPath(new URL('worker.ts', import.meta.url));

// The shell outlives a worker that is stopped, and kills it when its own input ends: so when this process ends,
// however it ends. It closes the worker's channel (3) on its side, or nobody would notice the worker's own end.
const untilInputEnds =
  'trap "" HUP INT TERM; "$@" & worker=$!; exec 3<&-; read -r _; kill -KILL "$worker" 2>/dev/null; wait "$worker" 2>/dev/null';

/** No answer takes longer than this, in ms, also where other work keeps the machine busy. */
const patienceMs = 90_000;

/** A worker of the bank, from outside. */
export class WorkerProcess implements AsyncDisposable {
  readonly name: string;
  readonly #shell: ChildProcess;
  readonly #heard = new EventEmitter();
  readonly #gone: Promise<'gone'>;
  #pid = 0;
  #killed = false;

  private constructor(settings: WorkerSettings) {
    this.name = settings.name;
    const command = [process.execPath, '--import', 'tsx', program, JSON.stringify(settings)];
    this.#shell = spawn('sh', ['-c', untilInputEnds, 'sh', ...command], {
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    });
    this.#gone = new Promise((resolve) => {
      this.#shell.once('disconnect', () => resolve('gone'));
      this.#shell.once('error', () => resolve('gone'));
    });
    this.#shell.on('message', (message: Message) => this.#heard.emit(message.is, message));
  }

  /** Starts the process, and waits until it takes orders. */
  static async start(settings: WorkerSettings): Promise<WorkerProcess> {
    const worker = new WorkerProcess(settings);
    try {
      const ready = await worker.#hear('ready');
      if (ready === 'gone') throw new Error(`${worker.name} ended before it began`);
      worker.#pid = ready.pid;
      return worker;
    } catch (error) {
      await worker[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Has a transfer carried out. `killed` where it was, before it could answer. */
  async ask({ key, from, to, amount }: Order): Promise<Answer | { readonly is: 'killed' }> {
    const done = this.#hear('done');
    this.#shell.send({ key, from, to, amount });
    const message = await done;
    if (message !== 'gone') return message.answer;
    if (this.#killed) return { is: 'killed' };
    throw new Error(`${this.name} has ended by itself`);
  }

  /** Stops it wherever it is, as a paused machine or a frozen function would be; resolves when it stands. */
  async stop(): Promise<void> {
    process.kill(this.#pid, 'SIGSTOP');
    const until = performance.now() + patienceMs;
    while (!(await hasStopped(this.#pid))) {
      if (performance.now() > until) throw new Error(`${this.name} does not stop`);
      await sleep(2);
    }
  }

  continue(): void {
    if (!this.#killed) process.kill(this.#pid, 'SIGCONT');
  }

  async kill(): Promise<void> {
    this.#killed = true;
    process.kill(this.#pid, 'SIGKILL');
    await this.#gone;
  }

  async #hear<Is extends Message['is']>(is: Is): Promise<Extract<Message, { readonly is: Is }> | 'gone'> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), patienceMs);
    const heard = once(this.#heard, is, { signal: patience.signal }).catch(() => {
      throw new Error(`${this.name} was not ${is} within ${patienceMs} ms`);
    });
    // Where it is gone first, nobody listens to the rest.
    heard.catch(() => undefined);
    try {
      const first = await Promise.race([heard, this.#gone]);
      return first === 'gone' ? first : first[0];
    } finally {
      clearTimeout(timer);
      patience.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#shell.exitCode !== null || this.#shell.pid === undefined) return;
    const ended = once(this.#shell, 'exit', { signal: AbortSignal.timeout(patienceMs) });
    this.#killed = true;
    this.#shell.stdin?.end();
    await ended;
  }
}

async function hasStopped(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') {
    await sleep(50);
    return true;
  }
  // pid (name) state …, and the name may have parentheses of its own.
  return /.*\) T /s.test(await readFile(`/proc/${pid}/stat`, 'latin1'));
}
