import { type Clock, stopwatch } from './clock.ts';
import { isFencingError } from './errors.ts';
import type { Effort } from './events.ts';

/** What a call tells of itself to those who listen. */
export interface Report<Result> {
  answered(result: Result): void;
  threw(how: Thrown): void;
}

/** How a call ended that answered nothing. */
export type Thrown =
  | { readonly event: 'unknown'; readonly cause: string }
  | { readonly event: 'failure'; readonly code: string };

/**
 * Hands a call's outcome to its report, and on to its caller. What its caller has ended by a signal is no event, and
 * neither is the use of a lease that was released: nothing is asked then.
 */
export async function reporting<Result>(
  report: Report<NoInfer<Result>>,
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  let result: Result;
  try {
    result = await work;
  } catch (error) {
    const ended = signal?.aborted === true && error === signal.reason;
    if (!ended && codeOf(error) !== 'lease-released') report.threw(thrown(error));
    throw error;
  }
  report.answered(result);
  return result;
}

function thrown(error: unknown): Thrown {
  const code = codeOf(error);
  if (code !== 'outcome-unknown') return { event: 'failure', code };
  return { event: 'unknown', cause: codeOf((error as Error).cause) };
}

/*
 * Of errors that are not this library's no message is told, as it may quote what was written, and a name only where it is
 * one: anybody may set it, to whatever text.
 */
function codeOf(error: unknown): string {
  if (isFencingError(error)) return error.code;
  if (!(error instanceof Error)) return typeof error;
  try {
    const name: unknown = error.name;
    return typeof name === 'string' && /^[\w.$#:-]{1,64}$/.test(name) ? name : 'Error';
  } catch {
    return 'Error';
  }
}

/** Measures what a call takes, from now on. */
export class Measure {
  readonly #clock: Clock;
  readonly #elapsed: () => number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#elapsed = stopwatch(clock);
  }

  /** What it has taken so far. */
  taken(attempts: number, requestId?: string): Effort & { readonly atMs: number } {
    return { atMs: this.#clock.now(), durationMs: this.#elapsed(), attempts, requestId };
  }
}
