// Prints `PASSED FAILED` for a JSON report of vitest. A file that did not load has no tests that could have
// failed, so it counts as one failure.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const unloaded = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
);
console.log(report.numPassedTests, report.numFailedTests + unloaded.length);
