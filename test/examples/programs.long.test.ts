import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { runExample } from './run-example.ts';

const paidOut = /^30 paid out, 70 left\n$/;

// What each program prints. Stamps are written as Node shows objects.
const programs: Readonly<Record<string, RegExp>> = {
  'quick-start.ts': paidOut,
  'quick-start.mjs': paidOut,
  'kernel.ts': /^claimed, 100\npaid out\ncondition\n$/,
  // Newer versions of Node report in another format, with another sign before the numbers.
  'late-writer.ts': /^[#ℹ] pass 1\n[#ℹ] fail 0$/mu,
  'booking/main.ts':
    /^(somebody gets it: true\n|somebody does not get it: (held|condition)\n){2}free slots left: 0\n$/,
  'ledger/main.ts':
    /^rent paid, now\nrent paid, as before\nnot paid: insufficient\nann -4000, with bob\naudit of 2 accounts, 1 entries, 2 lines: right\n$/,
  'tour.ts': /^\{ id: 'a1', balance: 50, entries: \[ 'rent' \] \} true 2\n$/,
  'observe.ts':
    /^(?=[\s\S]*^account\/a1: \S+ was here with \d{13}$)(?=[\s\S]*^\{"level":40,.*"reason":"fenced".*"key":"[0-9a-f]{16}".*\}$)(?=[\s\S]*"event":"acquire")[\s\S]*"event":"release".*\}\n/m,
  'operations.ts':
    /^adopted: true\nlast token \d{13}, held by nobody\nthe item is live, and was written last by \{\s+token: \d{13},\s+holder: '[^']+',\s+seq: 1\s+\}\nthe lease of the backup is fenced\nthe next token is larger: true\n$/,
};

it.each(Object.entries(programs))('examples/%s does what it says', async (file, output) => {
  // Whoever uses the kernel sends by himself, so all that is sent there is audited as the library's own.
  const env = file === 'kernel.ts' ? { WIRE_AUDIT_EVERYTHING: 'yes' } : {};
  const { code, stdout, stderr } = await runExample(`examples/${file}`, [], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(output);
});

it('the quick start in JavaScript is what the oldest Node that is supported understands', () => {
  execFileSync(process.execPath, ['--check', 'examples/quick-start.mjs'], { cwd: root, stdio: 'pipe' });
});
