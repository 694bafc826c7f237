import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// Where a machine-readable report is wanted beside the printed one, as `.ci/run` does to count tests.
const report = process.env.VITEST_JSON_REPORT;

// What takes seconds by itself: crowds, processes, servers that are killed, searches. `npm run test:long` runs them.
const long = ['test/**/*.long.test.ts'];

// What these hear on the process's channel must come from themselves, and not from a lease of another file that ends.
const listening = [
  'test/observe/**/*.test.ts',
  'test/docs/incident.test.ts',
  'test/infra/fencing-monitoring.test.ts',
];

type ProjectTests = NonNullable<TestProjectInlineConfiguration['test']>;

function project(tests: ProjectTests): TestProjectInlineConfiguration {
  return {
    // So that the examples can import the library by its name without a build.
    resolve: { tsconfigPaths: true },
    test: {
      // Most of what a request allocates is garbage a moment later, and costs less where it is collected more rarely.
      execArgv: ['--max-semi-space-size=64'],
      setupFiles: ['test/support/wire-audit.ts'],
      env: {
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
        // The CDK's built-in template validation costs 5 s per worker. `npm run synth` runs it, once.
        CDK_VALIDATION: 'false',
      },
      // For a test that hangs, and for nothing else: a machine that is busy with other work is slow, not wrong.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      ...tests,
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      // Loading the SDK anew for every file takes longer than most files. No test leaves anything behind in a module.
      project({
        name: 'shared',
        isolate: false,
        include: ['test/**/*.test.ts'],
        exclude: [...listening, ...long],
      }),
      project({ name: 'long', isolate: false, include: long }),
      project({ name: 'alone', isolate: true, include: listening }),
    ],
    // By itself it leaves a core to the machine's other work, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    // Once for all of them.
    globalSetup: ['test/support/wire-audit-summary.ts', 'test/sources/missing-servers.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    coverage: {
      enabled: process.env.COVERAGE !== undefined,
      include: ['src/**'],
      reporter: [['text', { skipFull: true }]],
      // The folders that decide whether a write is right. Only a run of all files can meet this, so coverage
      // is taken where it is asked for, as `.ci/run` does. Sources that need a server are judged on that server, by the long tests.
      thresholds: Object.fromEntries(
        ['fence/**', 'dynamo/**', 'lease/{*,sources/*,sources/dynamo/*}.ts', 'repository/**'].map((files) => [
          `src/${files}`,
          { branches: 95 },
        ]),
      ),
    },
  },
});
