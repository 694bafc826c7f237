import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Where a machine-readable report is wanted beside the printed one, as `.ci/run` does to count tests.
const report = process.env.VITEST_JSON_REPORT;

export default defineConfig({
  // So that the examples can import the library by its name without a build.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/**/*.test.ts'],
    // By itself it leaves a core to the machine's other work, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    globalSetup: ['test/support/wire-audit-summary.ts'],
    setupFiles: ['test/support/wire-audit.ts'],
    env: {
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      // The CDK's built-in template validation costs 5 s per worker. `npm run synth` runs it, once.
      CDK_VALIDATION: 'false',
    },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
