// A token source of one's own, and the proof that it is one: run with `npx tsx examples/testing/conformance.ts`.
import { test } from 'node:test';
import { memoryTokenSource } from 'dynamodb-fenced';
import { manualClock, tokenSourceConformance } from 'dynamodb-fenced/testing';

// #region conformance
const cases = tokenSourceConformance({
  offers: ['takeOver', 'inspect', 'raise'], // what it can do beside acquire, renew and release
  async open() {
    const clock = manualClock();
    const source = memoryTokenSource({ clock }); // yours goes here
    return { source, clock, now: clock.now, advance: clock.advance };
  },
});
for (const { title, run } of cases) test(title, run);
// #endregion conformance
