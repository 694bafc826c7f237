import { describe } from 'vitest';
import { installed } from './installed.ts';
import { type SourceUnderTest, sourcesUnderTest } from './sources.ts';

/** One suite for each source; skipped where its server is not installed. */
export function describeEachSource(title: string, suite: (kind: SourceUnderTest) => void): void {
  for (const kind of sourcesUnderTest) {
    describe.skipIf(!installed.has(kind.name))(`${title} [${kind.name}]`, () => suite(kind));
  }
}
