// Installs the engines that the tests are judged by (test/engines/judges/package.json). npm has no optional *dev*
// dependencies, and an engine must never reach those who install the library, so it has a package of its own.
// Costs nothing once installed. Where it cannot be installed the tests run without it, and one line says so.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../test/engines/judges/', import.meta.url);
/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

const { optionalDependencies } = readJson('package.json');
const [[name, version]] = /** @type {[[string, string]]} */ (Object.entries(optionalDependencies));
const manifest = `node_modules/${name}/package.json`;

const problem = isInstalled() ? undefined : (platformProblem() ?? install());
if (problem !== undefined)
  console.log(`Without ${name} ${version}: ${problem}. Its half of the tests is skipped.`);

function isInstalled() {
  return existsSync(new URL(manifest, folder)) && readJson(manifest).version === version;
}

function platformProblem() {
  const here = `${process.platform}-${process.arch}`;
  return name.endsWith(`/${here}`) ? undefined : `it does not run on ${here}`;
}

function install() {
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(folder),
    encoding: 'utf8',
  });
  if (isInstalled()) return undefined;
  // npm ends well without an optional package that it could not fetch.
  return status === 0 ? 'npm could not fetch it' : `npm failed: ${firstLine(stderr)}`;
}

/** @param {string | undefined} text */
function firstLine(text) {
  return text?.split('\n').find((line) => line.trim() !== '') ?? 'it said nothing';
}
