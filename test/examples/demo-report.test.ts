import { describe, expect, it } from 'vitest';
import { logLine } from '../../examples/demo/log-line.ts';
import type { Outcome } from '../../examples/demo/messages.ts';
import { parseOptions } from '../../examples/demo/options.ts';
import { paint, wantsColours } from '../../examples/demo/paint.ts';
import { render } from '../../examples/demo/render.ts';
import { report, type Story } from '../../examples/demo/report.ts';
import { plots } from '../../examples/demo/stories.ts';
import { fencingToken } from '../../src/index.ts';

const log: Outcome['log'] = [
  {
    ...{ message: 'refusal of put: fenced', event: 'refusal', verb: 'put', reason: 'fenced' },
    ...{ atMs: Date.parse('2026-01-02T03:04:05.678Z'), resource: 'account/fenced', token: 41, holder: 'A/1' },
    ...{ lastToken: 42, lastHolder: 'B/1', applied: 'no', table: 'accounts', key: { id: 'fenced' } },
  },
];
const b: Outcome = {
  amount: 50,
  token: fencingToken(42),
  holder: 'B/1',
  read: 100,
  wrote: 50,
  answer: { accepted: true },
  log: [],
};
const a: Outcome = {
  ...b,
  amount: 30,
  token: fencingToken(41),
  holder: 'A/1',
  wrote: 70,
  answer: { accepted: false, reason: 'fenced', lastToken: b.token, lastHolder: b.holder, applied: 'no' },
  log,
};
const story: Story = {
  name: 'fenced',
  account: 'fenced',
  fenced: true,
  reading: 'claim',
  lateWrite: 'after B wrote',
  stoppedMs: 500,
  moved: false,
  a,
  b,
  again: { ...a, token: fencingToken(43), read: 50, wrote: 20, answer: { accepted: true }, log: [] },
  balance: { before: 100, right: 20, after: 20 },
};
const failed = (broken: Story) =>
  report(400, [broken])
    .expectations.filter(({ ok }) => !ok)
    .map(({ what }) => what);

describe('what the demo expects', () => {
  it('holds for the story as it should be', () => {
    expect(failed(story)).toEqual([]);
  });

  it.each<[string, Partial<Story>]>([
    ['A was stopped for longer than its lease', { stoppedMs: 400 }],
    ['A was stopped for longer than its lease', { moved: true }],
    [
      'B was granted a larger token',
      {
        b: { ...b, token: a.token },
        a: { ...a, answer: { ...a.answer, lastToken: a.token } as Outcome['answer'] },
      },
    ],
    ["B's write was accepted", { b: { ...b, answer: { accepted: false, reason: 'fenced' } } }],
    [
      "A's write was refused, and the refusal names both tokens and both holders",
      { a: { ...a, answer: { accepted: true } } },
    ],
    ['A started over with a larger token, and succeeded', { again: undefined }],
    ['no money was lost', { balance: { before: 100, right: 20, after: 70 } }],
  ])('is missed: %s', (what, change) => {
    expect(failed({ ...story, ...change })).toEqual([what]);
  });
});

describe('the options of the demo', () => {
  it.each([[['--story', 'none']], [['--without', 'tests']], [['--jason']]])('%o is refused', (args) => {
    expect(() => parseOptions(args)).toThrow(args.at(-1));
  });

  it('are all stories as they are, unless they say otherwise', () => {
    expect(parseOptions([])).toEqual({ json: false, plots, source: 'dynamodb', address: undefined });
    expect(parseOptions(['--story', 'gap-claim', '--without', 'claim', '--json'])).toMatchObject({
      json: true,
      plots: [{ ...plots[3], reading: 'get' }],
    });
  });
});

describe('what the demo prints', () => {
  it('names both tokens where a write is refused', () => {
    const text = render(report(400, [story]), paint(false)).join('\n');
    expect(text).toContain('writes 70: REFUSED (fenced): its token is 41, the storage has seen 42');
    expect(text).toContain('Paid out 80 of 100, left 20: right.');
    expect(text).toContain('6 of 6 expectations met');
    expect(text).not.toContain('\u001b');
  });

  it('says how much was lost', () => {
    const lost = { ...story, balance: { before: 100, right: 20, after: 70 } };
    expect(render(report(400, [lost]), paint(false))).toContain(
      '   Paid out 80 of 100, left 70 instead of 20: 50 LOST.',
    );
  });

  it('has log lines with resource, tokens and holders', () => {
    expect(log.map(logLine)).toEqual([
      '03:04:05.678 event=refusal resource=account/fenced token=41 holder=A/1 reason=fenced lastToken=42 lastHolder=B/1 applied=no',
    ]);
  });

  it('has colours for a terminal only, unless it is told otherwise', () => {
    expect(render(report(400, [story]), paint(true)).join('\n')).toContain('\u001b[32mREFUSED');
    expect(wantsColours(true, {})).toBe(true);
    expect(wantsColours(true, { NO_COLOR: '' })).toBe(true);
    expect(wantsColours(true, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColours(true, { TERM: 'dumb' })).toBe(false);
    expect(wantsColours(false, {})).toBe(false);
  });
});
