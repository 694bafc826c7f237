import { logLine } from './log-line.ts';
import type { Outcome } from './messages.ts';
import type { Paint } from './paint.ts';
import type { Report, Story, StoryName } from './report.ts';

const titles: Record<StoryName, string> = {
  plain: '1. Plain writes: the storage never hears of the lease',
  fenced:
    '2. Fenced writes: each carries its token, and the storage refuses one that is smaller than it has seen',
  'gap-get':
    "3. A gap that this alone leaves: A's late write comes after B has read and before B has written",
  'gap-claim': '4. The gap closed: B reads by claim(), which shows the storage its token in the same request',
};

/** The report for people, as lines. Pure. */
export function render(report: Report, paint: Paint): string[] {
  return [
    paint.strong('What a lease cannot do, and a fencing token can'),
    'Two processes on a local DynamoDB pay out from an account that holds 100: A 30, B 50. Each acquires a lease' +
      `${report.leasesIn === undefined ? '' : ` in ${report.leasesIn}`}, reads`,
    `the balance, and writes a smaller one. A is stopped (SIGSTOP) in between, for longer than its ${report.leaseMs} ms lease. It`,
    'cannot notice: asking a clock before writing does not help a process that is stopped right after asking.',
    ...report.stories.flatMap((story) => ['', ...renderStory(story, paint)]),
    '',
    paint.strong('The log of story 2, as an operator sees it'),
    ...report.log.map((line) => (line.event === 'refusal' ? paint.bad(logLine(line)) : logLine(line))),
    '',
    ...renderVerdict(report, paint),
  ];
}

function renderStory(story: Story, paint: Paint): string[] {
  const { name, a, b, again, stoppedMs, lateWrite } = story;
  const late = `   A  is continued: ${writes(a, paint)}`;
  const bGrant = `   B  is granted token ${b.token}, reads ${b.read}`;
  return [
    paint.strong(titles[name]),
    `   A  is granted token ${a.token}, reads ${a.read}${paint.quiet(`, and is stopped for ${stoppedMs} ms`)}`,
    ...(lateWrite === 'after B wrote'
      ? [`${bGrant}, ${writes(b, paint)}`, late]
      : [bGrant, late, `   B  ${writes(b, paint)}`]),
    ...(again === undefined
      ? []
      : [`   A  starts over with token ${again.token}, reads ${again.read}, ${writes(again, paint)}`]),
    `   ${balance(story, paint)}`,
  ];
}

function writes({ wrote, answer, token }: Outcome, paint: Paint): string {
  if (answer.accepted) return `writes ${wrote}: accepted`;
  const { reason, lastToken } = answer;
  const why = lastToken === undefined ? '' : `: its token is ${token}, the storage has seen ${lastToken}`;
  return `writes ${wrote}: ${paint.good(`REFUSED (${reason})`)}${why}`;
}

function balance({ balance: { before, right, after } }: Story, paint: Paint): string {
  const paidOut = `Paid out ${before - right} of ${before}, left ${after}`;
  if (after === right) return `${paidOut}: ${paint.good('right.')}`;
  return `${paidOut} instead of ${right}: ${paint.bad(`${after - right} LOST.`)}`;
}

function renderVerdict({ ok, expectations }: Report, paint: Paint): string[] {
  const failed = expectations.filter((expectation) => !expectation.ok);
  const count = `${expectations.length - failed.length} of ${expectations.length} expectations met`;
  return [
    ...failed.map(({ story, what }) => paint.bad(`not met in «${story}»: ${what}`)),
    ok ? paint.good(count) : paint.bad(count),
  ];
}
