// Checks the tarball that would be published: `npm run check:package`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from './documents.mjs';
import { pack } from './pack.mjs';

const { tarball, files } = pack();
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** @type {string[]} */
const problems = [];

const wanted =
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|docs\/.*\.(md|svg)|dist\/(src|infra)\/.*\.(js|d\.ts))$/;
for (const file of files) if (!wanted.test(file)) problems.push(`${file} should not be published`);

const targets = [
  ...Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  ),
  ...Object.values(manifest.bin ?? {}),
].map((path) => path.replace(/^\.\//, ''));
for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', ...targets]) {
  if (!files.includes(file)) problems.push(`${file} is missing`);
}

// Comments are the reference that editors show: the build must not lose them.
for (const file of files.filter((path) => path.endsWith('.d.ts'))) {
  const source = readFileSync(`${root}${file.replace(/^dist\//, '').replace(/\.d\.ts$/, '.ts')}`, 'utf8');
  const documented = /\/\*\*(?![^/]*@internal)[^/]*\*\/\nexport/.test(source);
  if (documented && !readFileSync(root + file, 'utf8').includes('/**'))
    problems.push(`${file} has lost its comments`);
}

for (const problem of problems) console.error(problem);
console.log(`${files.length} files in the tarball, ${problems.length} problems`);

run('publint', ['run', tarball, '--strict', '--pack', 'false']);
// `esm-only` asks what an ESM-only package promises: that `import` finds code and types under node16 and under
// bundlers. It leaves out the two resolutions that cannot work: `require` from CommonJS, and node10, which knows
// no `exports`.
run('attw', [
  tarball,
  '--profile',
  'esm-only',
  '--no-definitely-typed',
  '--no-emoji',
  '--no-color',
  '--format',
  'table-flipped',
]);

if (problems.length > 0) process.exitCode = 1;

/**
 * @param {string} tool
 * @param {string[]} args
 */
function run(tool, args) {
  try {
    execFileSync('npx', ['--no-install', tool, ...args], { cwd: root, stdio: 'inherit' });
  } catch {
    problems.push(`${tool} found problems`);
  }
}
