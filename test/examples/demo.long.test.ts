import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { paint } from '../../examples/demo/paint.ts';
import { render } from '../../examples/demo/render.ts';
import type { Report, Story, StoryName } from '../../examples/demo/report.ts';
import { auditFileVariable, closeAuditFile, newAuditFile, writeDown } from '../support/audit-file.mjs';
import { type Run, runExample, startExample } from './run-example.ts';

const demo = 'examples/demo/main.ts';
const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('the demo', () => {
  let run: Run;
  let report: Report;
  let audited: ReturnType<typeof closeAuditFile>;
  const story = (name: StoryName) => report.stories.find((one) => one.name === name) as Story;
  beforeAll(async () => {
    const file = newAuditFile();
    run = await runExample(demo, ['--json'], { [auditFileVariable]: file });
    audited = closeAuditFile(file);
    writeDown(inject('wireAuditFile'), audited.counts);
    report = JSON.parse(run.stdout);
  });

  it('finds all as it expects, and says so by its exit code', () => {
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(report.expectations.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.expectations).toHaveLength(21);
  });

  it('has the requests of both holders audited, those of the fenced half', () => {
    expect(audited.faults).toEqual([]);
    // Three puts of «fenced», two of each gap. Plain writes are not the library's.
    expect(audited.counts).toMatchObject({ PutItem: 7 });
  });

  it('is understood at one sight: fewer than 60 lines', () => {
    expect(render(report, paint(false)).length).toBeLessThan(60);
  });

  it('stops A for longer than its lease, each time', () => {
    expect(report.stories).toHaveLength(4);
    for (const { stoppedMs, moved, a, b } of report.stories) {
      expect(stoppedMs).toBeGreaterThan(report.leaseMs);
      expect(moved).toBe(false);
      expect(b.token).toBeGreaterThan(a.token);
    }
  });

  it('loses money with plain writes', () => {
    const { a, b, balance } = story('plain');
    expect([a.answer, b.answer]).toEqual([{ accepted: true }, { accepted: true }]);
    expect(balance).toEqual({ before: 100, right: 20, after: 70 });
  });

  it('refuses the late write when it is fenced, and A succeeds when it starts over', () => {
    const { a, b, again, balance } = story('fenced');
    expect(a.answer).toEqual({
      accepted: false,
      reason: 'fenced',
      lastToken: b.token,
      lastHolder: b.holder,
      applied: 'no',
    });
    expect(again).toMatchObject({ read: 50, wrote: 20, answer: { accepted: true } });
    expect(balance).toEqual({ before: 100, right: 20, after: 20 });
  });

  it('loses an update where B reads without claiming', () => {
    const { a, b, balance } = story('gap-get');
    expect([a.answer, b.answer]).toEqual([{ accepted: true }, { accepted: true }]);
    expect(balance).toEqual({ before: 100, right: 20, after: 50 });
  });

  it('loses nothing where B claims', () => {
    const { a, b, balance } = story('gap-claim');
    expect(a.answer).toMatchObject({ accepted: false, reason: 'fenced', lastToken: b.token });
    expect(b.answer).toEqual({ accepted: true });
    expect(balance).toEqual({ before: 100, right: 50, after: 50 });
  });

  it('logs the incident in the order in which it happened', () => {
    const [a, b] = [story('fenced').a.token, story('fenced').b.token];
    const again = story('fenced').again?.token;
    expect(report.log.map(({ event, token }) => [event, token])).toEqual([
      ['acquire', a],
      ['claim', a],
      ['renew', a],
      ['wait', undefined],
      ['acquire', b],
      ['claim', b],
      ['renew', b],
      ['write', b],
      ['release', b],
      ['loss', a],
      ['refusal', a],
      ['release', a],
      ['acquire', again],
      ['claim', again],
      ['renew', again],
      ['write', again],
      ['release', again],
    ]);
  });
});

describe.skipIf(isWindows).concurrent('a part that is left out is missed', () => {
  it('the claim', async () => {
    const { code, stdout } = await runExample(demo, ['--json', '--story', 'gap-claim', '--without', 'claim']);
    const report: Report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report.expectations.filter(({ ok }) => !ok).map(({ story }) => story)).toEqual([
      'gap-claim',
      'gap-claim',
    ]);
    expect(report.stories[0]?.balance).toMatchObject({ right: 20, after: 50 });
  });

  it('the fence, in text for people, without colours where there is no terminal', async () => {
    const { code, stdout } = await runExample(demo, ['--story', 'fenced', '--without', 'fence']);
    expect(code).toBe(1);
    expect(stdout).toContain("not met in «fenced»: A's write was refused");
    expect(stdout).not.toContain('\u001b');
  });
});

it.skipIf(isWindows)(
  'an option that is not known is told with those that are, and without a stack',
  async () => {
    const { code, stderr } = await runExample(demo, ['--bogus']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*--bogus/);
    expect(stderr).toContain('npm run demo -- [--json] [--source dynamodb|redis');
    expect(stderr).not.toMatch(/^ {4}at /m);
  },
);

// A stopped process hears nothing but SIGKILL, so it could stay for ever.
it.runIf(process.platform === 'linux')(
  'its processes end with it, also when it is killed while A is stopped',
  async () => {
    const mark = `DEMO_RUN=${randomUUID()}`;
    const [name = '', value = ''] = mark.split('=');
    const main = startExample(demo, [], { [name]: value });
    await until(() => processesWith(mark).some(({ state }) => state === 'T'));
    main.kill('SIGKILL');
    try {
      await until(() => processesWith(mark).length === 0);
    } finally {
      for (const { pid } of processesWith(mark)) process.kill(Number(pid), 'SIGKILL');
    }
  },
);

/** The processes of this machine that have a variable in their environment. */
function processesWith(variable: string): { pid: string; state: string }[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable)) return [];
        // pid (name) state …, and the name may have parentheses of its own.
        const state = /.*\) (?<state>\w) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.groups?.state;
        return state === undefined || state === 'Z' ? [] : [{ pid, state }];
      } catch {
        // It has ended since, or belongs to somebody else.
        return [];
      }
    });
}

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + 60_000;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error(`not within 60 s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
