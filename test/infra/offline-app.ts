import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll } from 'vitest';

/** The settings that `npx cdk` runs with. */
export const cdkJson = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
  app: string;
  notices: boolean;
  versionReporting: boolean;
  context: Record<string, unknown>;
};

/** Makes apps with the feature flags of `cdk.json`, whose output goes to a folder that the test file removes. */
export function offlineApps(): () => App {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk-'));
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));
  let made = 0;
  // Nothing is bundled: that takes a second per function, and says nothing about a template.
  const context = { ...cdkJson.context, 'aws:cdk:bundling-stacks': [] };
  return () => new App({ context, outdir: join(outdir, `${made++}`), analyticsReporting: false });
}

/** One such app. */
export function offlineApp(): App {
  return offlineApps()();
}
