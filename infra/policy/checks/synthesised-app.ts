import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnElement, CfnResource, NestedStack, Stack, Stage, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** What JSON has for an object. */
export type Json = Readonly<Record<string, unknown>>;

/** A resource as it stands in its template: after every override, and whoever made it. */
export interface SynthesisedResource {
  readonly construct: CfnResource;
  readonly stack: SynthesisedStack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Json;
}

export interface SynthesisedStack {
  readonly stack: Stack;
  readonly name: string;
  readonly resources: ReadonlyMap<string, SynthesisedResource>;
  readonly outputs: Json;
  readonly parameters: Json;
  /** Of a nested stack: the stack that it is in, and the parameters that it is given there. */
  readonly within?: { readonly parent: Stack; readonly given: string };
}

/** Reads the templates of all stacks of an app, those of stages and nested ones included. */
export function synthesisedStacks(app: IConstruct): SynthesisedStack[] {
  const constructs = app.node.findAll();
  const elements = constructs.filter(CfnElement.isCfnElement);
  return constructs.filter(Stack.isStack).map((stack) => {
    const folder = Stage.of(stack)?.outdir ?? '.';
    const template: Readonly<Record<string, Json | undefined>> = JSON.parse(
      readFileSync(join(folder, stack.templateFile), 'utf8'),
    );
    const resources = new Map<string, SynthesisedResource>();
    const parent = NestedStack.isNestedStack(stack) ? stack.nestedStackParent : undefined;
    const read: SynthesisedStack = {
      stack,
      // That of a nested stack is made by CloudFormation.
      name: Token.isUnresolved(stack.stackName) ? stack.node.addr : stack.stackName,
      resources,
      outputs: template.Outputs ?? {},
      parameters: template.Parameters ?? {},
      ...(parent && { within: { parent, given: idOf(stack.nestedStackResource as CfnResource) } }),
    };
    for (const construct of elements.filter((it) => CfnResource.isCfnResource(it) && it.stack === stack)) {
      const logicalId = idOf(construct);
      const resource = template.Resources?.[logicalId] as { Type: string; Properties?: Json } | undefined;
      // A resource may be left out of the template, as the metadata of the CDK are.
      if (resource === undefined) continue;
      const { Type: type, Properties: properties = {} } = resource;
      resources.set(logicalId, {
        construct: construct as CfnResource,
        stack: read,
        logicalId,
        type,
        properties,
      });
    }
    return read;
  });
}

function idOf(element: CfnElement): string {
  return element.stack.resolve(element.logicalId);
}
