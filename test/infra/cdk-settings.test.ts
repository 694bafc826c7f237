import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { cdkJson } from './offline-app.ts';

const recommended = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json') as Record<
  string,
  unknown
>;

it('calls nobody: no notices, no version report, no telemetry', () => {
  expect(cdkJson).toMatchObject({
    notices: false,
    versionReporting: false,
    context: { 'cli-telemetry': false },
  });
});

it('decides every feature flag: as recommended, but for two', () => {
  expect(cdkJson.context).toEqual({
    ...recommended,
    // A weak reference lets the producer be deleted under its consumer: not for what holds the fences.
    '@aws-cdk/core:defaultCrossStackReferences': 'strong',
    '@aws-cdk/core:enableAdditionalMetadataCollection': false,
    'cli-telemetry': false,
  });
});
