import { type Clock, sleep } from '../../src/fence/clock.ts';
import type { Deadline } from '../../src/fence/deadline.ts';
import { type MemoryTokenSource, memoryTokenSource } from '../../src/lease/sources/memory.ts';
import type { Undecided } from '../../src/lease/token-source.ts';

type Verb = 'acquire' | 'renew' | 'release' | 'takeOver' | 'raise';
// Only what a fault does with an answer matters, not which one it is.
// biome-ignore lint/suspicious/noExplicitAny: the answers of five verbs.
type Answer = any;

/** What goes wrong with one question: it may ask, or not, and answers something else, or later. */
export type Mishap = (ask: () => Promise<Answer>, deadline: Deadline) => Promise<Answer>;

export interface UnrulySource {
  readonly source: MemoryTokenSource;
  /** What was asked, in order. */
  readonly asked: readonly { readonly verb: Verb; readonly request: Answer; readonly atMs: number }[];
  /** The verbs alone. */
  readonly verbs: readonly Verb[];
  /** Lets the next questions of a verb go wrong, one mishap each. */
  next(verb: Verb, ...mishaps: readonly Mishap[]): void;
  /** Lets every further question of a verb go wrong. */
  always(verb: Verb, mishap: Mishap): void;
  /** No more mishaps. */
  heal(): void;
}

const undecided = (applied: Undecided['applied']): Undecided => ({
  is: 'undecided',
  applied,
  error: new Error(applied === 'no' ? 'throttled' : 'socket hang up'),
});

/** It was done, and the answer was lost. */
export const loseAnswer: Mishap = async (ask) => {
  await ask();
  return undecided('unknown');
};

/** It was not done, and nobody can tell. */
export const loseRequest: Mishap = async () => undecided('unknown');

/** It was certainly not done. */
export const turnAway: Mishap = async () => undecided('no');

/** The request hangs: nothing comes before its deadline. */
export const hang: Mishap = (_, { signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undecided('unknown')));
  });

/** It will never succeed. */
export const fail: Mishap = async () => {
  throw new Error('not authorised');
};

/** The answer takes its time. */
export const slowAnswer =
  (clock: Clock, ms: number): Mishap =>
  async (ask) => {
    const answer = await ask();
    await sleep(clock, ms);
    return answer;
  };

/** The memory source, with a record of what it was asked and with mishaps. */
export function unrulySource(clock: Clock): UnrulySource {
  const inner = memoryTokenSource({ clock });
  const verbs: Verb[] = [];
  const asked: { verb: Verb; request: Answer; atMs: number }[] = [];
  const queues = new Map<Verb, Mishap[]>();
  const constant = new Map<Verb, Mishap>();
  const unruly = (verb: Verb) => async (request: never, deadline: Deadline) => {
    verbs.push(verb);
    asked.push({ verb, request, atMs: clock.now() });
    const mishap = queues.get(verb)?.shift() ?? constant.get(verb) ?? ((ask) => ask());
    return mishap(() => inner[verb](request, deadline), deadline);
  };
  return {
    source: {
      acquire: unruly('acquire'),
      renew: unruly('renew'),
      release: unruly('release'),
      takeOver: unruly('takeOver'),
      raise: unruly('raise'),
      inspect: (resource, deadline) => inner.inspect(resource, deadline),
    } as MemoryTokenSource,
    asked,
    verbs,
    next(verb, ...mishaps) {
      queues.set(verb, [...(queues.get(verb) ?? []), ...mishaps]);
    },
    always(verb, mishap) {
      constant.set(verb, mishap);
    },
    heal() {
      queues.clear();
      constant.clear();
    },
  };
}
