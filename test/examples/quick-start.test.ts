import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { runExample } from './run-example.ts';

it.each(['examples/quick-start.ts', 'examples/quick-start.mjs'])('%s does what it says', async (file) => {
  expect(await runExample(file)).toMatchObject({ code: 0, stdout: '30 paid out, 70 left\n', stderr: '' });
});

it('quick-start.mjs is JavaScript as the oldest Node that is supported knows it', () => {
  execFileSync(process.execPath, ['--check', 'examples/quick-start.mjs'], { cwd: root, stdio: 'pipe' });
});
