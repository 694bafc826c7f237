import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from '../architecture/source-tree.ts';
import { runExample } from './run-example.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');
const filesOf = (folder: string) => readdirSync(root + folder).map((name) => `${folder}/${name}`);

// Programs of node:test, as a reader's own tests are.
const programs = filesOf('examples/testing').filter((file) => read(file).includes("'node:test'"));

// All in one process: to load the SDK takes longer than most of them.
it('the programs pass', async () => {
  const [first = '', ...more] = programs;
  const written = programs.reduce((sum, file) => sum + [...read(file).matchAll(/\btest\(/g)].length, 0);
  const { code, stdout, stderr } = await runExample(first, [], {}, more);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  // Newer versions of Node report in another format, with another sign before the numbers.
  const passed = Number(/^[#ℹ] pass (?<count>\d+)$/mu.exec(stdout)?.groups?.count);
  expect(passed).toBeGreaterThanOrEqual(written);
  expect(stdout).toMatch(/^[#ℹ] fail 0$/mu);
});

it.each(programs)('%s has tests of its own', (file) => {
  expect(read(file)).toMatch(/\btest\(/);
});

it('docs/testing.md shows every fault', () => {
  const exported = filesOf('src/testing/faults').flatMap((file) =>
    [...read(file).matchAll(/^export function (\w+)\(.*\): (?:Fault|Gate|Duplicate) \{$/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(exported.length).toBeGreaterThanOrEqual(14);
  const quoted = [...read('docs/testing.md').matchAll(/<!-- quote examples\/testing\/\S+#(\w+) -->/g)].map(
    ([, region]) => region,
  );
  expect(exported.filter((name) => !quoted.includes(name))).toEqual([]);
});
