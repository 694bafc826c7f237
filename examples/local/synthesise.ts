import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { exampleStacks } from '../../infra/stacks/example-stacks.ts';
import type { Template } from './template.ts';

/** The stacks of the examples as templates: what `cdk deploy` would send. */
export interface Templates {
  readonly data: Template;
  readonly ledger: Template;
  readonly booking: Template;
}

/**
 * Synthesises the stacks in this process, without an account, the CDK's command line or a network. The code of the functions is not
 * bundled, and nothing is left behind.
 *
 * @param context over that of `cdk.json`.
 */
export function synthesise(context: Readonly<Record<string, unknown>> = {}): Templates {
  const cdkJson = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  const outdir = mkdtempSync(join(tmpdir(), 'dynamodb-fenced-'));
  try {
    const app = new App({
      outdir,
      analyticsReporting: false,
      // It takes five seconds, and `npm run synth` does it.
      builtinCloudFormationValidation: false,
      context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [], ...context },
    });
    const { data, ledger, booking } = exampleStacks(app);
    const assembly = app.synth();
    const template = ({ stackName }: { readonly stackName: string }): Template =>
      assembly.getStackByName(stackName).template;
    return { data: template(data), ledger: template(ledger), booking: template(booking) };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
