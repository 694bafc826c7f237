import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `cdk synth` as it is, in a process that can reach nobody; whatever tries to is told on standard error. */
function synth(app: string) {
  const output = join(folder, app.replaceAll('/', '-'));
  const guard = new URL('./no-network.mjs', import.meta.url).href;
  const command = ['--no-install', 'cdk', 'synth', '--quiet', '--no-lookups', '--output', output];
  const { status, stderr, stdout } = spawnSync('npx', [...command, '--app', `node --import tsx ${app}`], {
    cwd: root,
    encoding: 'utf8',
    // The tests' own environment would have the app throw what the command prints.
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, CI: 'true', CDK_VALIDATION: 'false' },
      ...{ CDK_DISABLE_CLI_TELEMETRY: 'true', CDK_DISABLE_VERSION_CHECK: '1' },
      NODE_OPTIONS: `--import ${guard}`,
    },
  });
  const report = JSON.parse(readFileSync(join(output, 'validation-report.json'), 'utf8'));
  return { status, printed: stdout + stderr, report, output };
}

interface Violation {
  readonly ruleName: string;
  readonly violatingConstructs: readonly { readonly stackTraces: readonly string[] }[];
}

it('the app of this project is synthesised without an account, and asks nobody', () => {
  const { status, printed, output } = synth('infra/bin/app.ts');
  expect(printed).not.toContain('tried to reach');
  expect(status, printed).toBe(0);
  const { missing } = JSON.parse(readFileSync(join(output, 'manifest.json'), 'utf8'));
  expect(missing ?? []).toEqual([]);
});

it('a bad app is not, and each rule tells the line of the culprit', () => {
  const { status, printed, report } = synth('test/infra/apps/bad.ts');
  expect(status).toBe(1);
  expect(printed).not.toContain('tried to reach');

  const lines = readFileSync(`${root}test/infra/apps/bad.ts`, 'utf8').split('\n');
  const culprits = lines.flatMap((text, index) => {
    const rule = / \/\/ (\w+)$/.exec(text)?.[1];
    return rule === undefined ? [] : [`${rule} at bad.ts:${index + 1}`];
  });
  expect(culprits).toHaveLength(9);
  const violations: Violation[] = report.pluginReports.flatMap(
    (it: { violations: Violation[] }) => it.violations,
  );
  const told = violations.map(({ ruleName, violatingConstructs }) => {
    const traces = violatingConstructs.flatMap(({ stackTraces }) => stackTraces).join('\n');
    return `${ruleName} at ${/bad\.ts:\d+(?=:\d+\))/.exec(traces)?.[0]}`;
  });
  expect(told.sort()).toEqual(culprits.sort());
  // Of policies it is the very first place that is printed.
  for (const rule of [
    'UnfenceableWrite',
    'UnconditionalWrite',
    'TokenReset',
    'ExpiryChange',
    'GuardChange',
  ]) {
    const line = culprits.find((it) => it.startsWith(rule))?.split(':')[1];
    expect(printed).toMatch(
      new RegExp(`test/infra/apps/bad\\.ts:${line}:\\d+\\nERROR [^\\n]*\\n[^\\n]*\\n[^\\n]*\\n.*::${rule}'`),
    );
  }
});

it('the guard against the network bites', () => {
  const guard = new URL('./no-network.mjs', import.meta.url).href;
  const program = `require('node:net').connect(443, 'example.com').on('error', () => {})`;
  const { stderr } = spawnSync(process.execPath, ['--import', guard, '-e', program], { encoding: 'utf8' });
  expect(stderr).toContain('tried to reach example.com');
});
