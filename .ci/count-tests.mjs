// Prints `PASSED FAILED` for a JSON report of vitest, and on stderr what failed, and how. A file that did not load
// has no tests that could have failed, so it counts as one failure. Arguments: the report, and a name of the run.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [path, run] = process.argv.slice(2);
const report = JSON.parse(readFileSync(path, 'utf8'));
const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
  const file = relative('', name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [[`${file} did not load`, message]];
  return failed.map(({ fullName, failureMessages }) => [`${file}: ${fullName}`, ...failureMessages]);
});
for (const [title, ...messages] of failures) {
  // The difference and the line of the test are at the beginning; a whole stack would bury the next failure.
  console.error([`${run}: ${title}`, ...messages.join('\n').split('\n').slice(0, 20), ''].join('\n'));
}
console.log(report.numPassedTests, failures.length);
