import type { LogLine } from 'dynamodb-fenced/observe';
import type { Outcome } from './messages.ts';

/** One story that was played, and what was found in the end. */
export interface Story {
  readonly name: StoryName;
  readonly account: string;
  readonly fenced: boolean;
  readonly reading: 'get' | 'claim';
  /** When A, continued, writes. */
  readonly lateWrite: 'after B wrote' | 'before B wrote';
  /** How long A was stopped, in ms. */
  readonly stoppedMs: number;
  /** Whether A, told to write while it was stopped, did something before it was continued. */
  readonly moved: boolean;
  readonly a: Outcome;
  readonly b: Outcome;
  /** A's second try under a lease of its own time, in the story that has one. */
  readonly again: Outcome | undefined;
  readonly balance: {
    readonly before: number;
    /** What is left where exactly the accepted withdrawals are taken off. */
    readonly right: number;
    readonly after: number;
  };
}

export type StoryName = 'plain' | 'fenced' | 'gap-get' | 'gap-claim';

/** Something that the demo claims, and whether it came true. */
export interface Expectation {
  readonly story: StoryName;
  readonly what: string;
  readonly ok: boolean;
}

/** All that the demo found out: what is printed, for people or for machines. */
export interface Report {
  readonly ok: boolean;
  readonly leaseMs: number;
  /** Where the leases are, if elsewhere than in DynamoDB. */
  readonly leasesIn: string | undefined;
  readonly stories: readonly Story[];
  readonly expectations: readonly Expectation[];
  readonly log: readonly LogLine[];
}

/** Judges what was played. Pure. */
export function report(leaseMs: number, stories: readonly Story[], leasesIn?: string): Report {
  const expectations = stories.flatMap((story) => [...expectedOfAll(story, leaseMs), ...expected(story)]);
  const fenced = stories.find(({ name }) => name === 'fenced');
  return {
    ok: expectations.every(({ ok }) => ok),
    leaseMs,
    leasesIn,
    stories,
    expectations,
    log: fenced === undefined ? [] : logOf(fenced),
  };
}

function expectedOfAll({ name, a, b, stoppedMs, moved }: Story, leaseMs: number): Expectation[] {
  return [
    { story: name, what: 'A was stopped for longer than its lease', ok: stoppedMs > leaseMs && !moved },
    { story: name, what: 'B was granted a larger token', ok: b.token > a.token },
    { story: name, what: "B's write was accepted", ok: b.answer.accepted },
  ];
}

function expected({ name, a, b, again, balance }: Story): Expectation[] {
  const { before, right, after } = balance;
  const expects = (what: string, ok: boolean): Expectation => ({ story: name, what, ok });
  const moneyIsRight = expects('no money was lost', after === right);
  const refused = expects(
    "A's write was refused, and the refusal names both tokens and both holders",
    !a.answer.accepted &&
      a.answer.reason === 'fenced' &&
      a.answer.lastToken === b.token &&
      a.answer.lastHolder === b.holder &&
      a.answer.applied === 'no',
  );
  const accepted = expects("A's write was accepted", a.answer.accepted);
  switch (name) {
    case 'plain':
      return [accepted, expects("B's withdrawal was lost", after === before - a.amount)];
    case 'gap-get':
      return [accepted, expects("A's withdrawal was lost", after === before - b.amount)];
    case 'fenced': {
      const startedOver = again?.answer.accepted === true && again.token > b.token;
      return [
        refused,
        expects('A started over with a larger token, and succeeded', startedOver),
        moneyIsRight,
      ];
    }
    case 'gap-claim':
      return [refused, moneyIsRight];
  }
}

/** The log of a story, in the order in which things happened: where two share a millisecond, A acts on what B has done. */
function logOf({ a, b, again }: Story): LogLine[] {
  return [...b.log, ...a.log, ...(again?.log ?? [])].sort((x, y) => Number(x.atMs) - Number(y.atMs));
}
