import { describe } from 'vitest';
import { isAvailable } from './given-server.ts';
import { installed } from './installed.ts';
import { type SourceUnderTest, sourcesUnderTest } from './sources.ts';

/** One suite for each source; skipped where its server is not installed. */
export function describeEachSource(title: string, suite: (kind: SourceUnderTest) => void): void {
  for (const kind of sourcesUnderTest) {
    describe.skipIf(!installed.has(kind.name))(`${title} [${kind.name}]`, () => suite(kind));
  }
}

/** The same, for a suite that may run on a server that somebody uses: it keeps to names of its own. */
export function describeOnAnyServer(title: string, suite: (kind: SourceUnderTest) => void): void {
  for (const kind of sourcesUnderTest) {
    describe.skipIf(!isAvailable(kind))(`${title} [${kind.name}]`, () => suite(kind));
  }
}
