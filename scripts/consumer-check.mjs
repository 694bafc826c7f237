// A newcomer's project: installs the tarball, the AWS SDK and dynalite in an empty folder, and runs the quick
// start there, in TypeScript and in plain JavaScript; then adds the CDK, and synthesises the example of the tables.
// `npm run check:consumer`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAuditFile, summaryOf } from '../test/support/audit-file.mjs';
import { auditedEnv } from '../test/support/audited-env.mjs';
import { root } from './documents.mjs';
import { pack } from './pack.mjs';

const { folder, tarball } = pack();
const { devDependencies: versions } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

write('package.json', { name: 'consumer', private: true, type: 'module' });
install(tarball, ...inOurVersion('@aws-sdk/client-dynamodb', 'dynalite', 'typescript', '@types/node'));

for (const file of ['quick-start.ts', 'quick-start.mjs'])
  copyFileSync(`${root}examples/${file}`, join(folder, file));

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  outDir: 'out',
};
write('tsconfig.json', {
  // Our declarations are checked as well: they must name nothing that is not installed.
  compilerOptions: { ...compilerOptions, types: ['node'], skipLibCheck: false },
  files: ['quick-start.ts'],
});
step('the quick start compiles', 'npx', '--no-install', 'tsc', '-p', 'tsconfig.json');
// And what the library sends there is audited, as in the tests.
const auditFile = newAuditFile();
const audited = auditedEnv(auditFile);
stepIn(audited, 'the quick start runs in TypeScript', 'node', 'out/quick-start.js');
stepIn(audited, 'the quick start runs in plain JavaScript', 'node', 'quick-start.mjs');
console.log(summaryOf(auditFile));

// Each entry alone, without the types of Node: they bring disposables along and would hide that ours do not.
const uses = {
  '': `import type { Lease } from 'dynamodb-fenced';
export async function use(acquire: () => Promise<Lease>): Promise<number> {
  await using lease = await acquire();
  return lease.token;
}`,
  testing: `import { startLocalDynamoDB } from 'dynamodb-fenced/testing';
await using db = await startLocalDynamoDB();
export const endpoint = db.endpoint;`,
};
for (const [name, text] of Object.entries(uses)) {
  const file = `use-${name || 'library'}`;
  writeFileSync(join(folder, `${file}.ts`), text);
  write(`${file}.json`, {
    compilerOptions: { ...compilerOptions, types: [], skipLibCheck: true },
    files: [`${file}.ts`],
  });
  step(`\`await using\` compiles on lib es2022: ${file}`, 'npx', '--no-install', 'tsc', '-p', `${file}.json`);
}

// Only now, so that what went before has shown that the library needs none of it.
install(...inOurVersion('aws-cdk-lib', 'constructs'));
copyFileSync(`${root}examples/cdk-tables.ts`, join(folder, 'cdk-tables.ts'));
writeFileSync(
  join(folder, 'synth.ts'),
  `import { App } from 'aws-cdk-lib';
import { BankStack } from './cdk-tables.js';
const app = new App({ analyticsReporting: false, outdir: 'cdk.out' });
new BankStack(app, 'Bank');
app.synth();
`,
);
write('synth.json', {
  // The declarations of the CDK do not compile under `exactOptionalPropertyTypes`.
  compilerOptions: { ...compilerOptions, types: ['node'], skipLibCheck: true },
  files: ['synth.ts', 'cdk-tables.ts'],
});
step('the stack of the tables compiles', 'npx', '--no-install', 'tsc', '-p', 'synth.json');
stepIn({ CDK_VALIDATION: 'false' }, 'the stack of the tables is synthesised', 'node', 'out/synth.js');

/**
 * @param {string} name
 * @param {unknown} value
 */
function write(name, value) {
  writeFileSync(join(folder, name), JSON.stringify(value, null, 2));
}

/** @param {string[]} packages */
function install(...packages) {
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...quietly, ...packages], { cwd: folder, stdio: 'inherit' });
}

/**
 * So that the check says the same today and next year, and finds them in npm's cache.
 *
 * @param {string[]} names
 */
function inOurVersion(...names) {
  return names.map((name) => `${name}@${versions[name]}`);
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 */
function step(what, command, ...args) {
  stepIn({}, what, command, ...args);
}

/**
 * @param {Readonly<Record<string, string>>} env beside what is there
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 */
function stepIn(env, what, command, ...args) {
  console.log(`\n# ${what}`);
  // Any code but 0 throws, and so ends this check with a failure.
  execFileSync(command, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...env } });
}
