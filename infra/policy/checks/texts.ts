import { type Stack, Token } from 'aws-cdk-lib';
import type { TextOf } from '../iam/statement.ts';
import { arnOf, isMadeByPrograms, nameOf } from './names.ts';
import type { Json, SynthesisedStack } from './synthesised-app.ts';

/** Makes the texts of a stack: what its references and functions stand for, across stacks. */
export type TextsOf = (stack: SynthesisedStack) => TextOf;

/**
 * Resolves what the values of templates stand for, as far as it is known before the deployment. What is not becomes a part like
 * `${AWS::AccountId}`; the names that CloudFormation makes get an ending that no other has.
 */
export function textsOf(stacks: readonly SynthesisedStack[]): TextsOf {
  let unknowns = 0;
  // Each is another one: nothing is known of them, and so not that two are the same.
  const unknown = () => `\${unknown ${unknowns++}}`;
  const ofStack = (stack: Stack) => stacks.find((it) => it.stack === stack);

  const texts: TextsOf = (stack) => {
    const text: TextOf = (value) => {
      if (typeof value !== 'object' || value === null) return String(value);
      const [name = '', argument] = Object.entries(value)[0] ?? [];
      const args: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
      switch (name) {
        case 'Ref':
          return reference(String(argument));
        case 'Fn::GetAtt':
          return attribute(...pairOf(args));
        case 'Fn::Join':
          return Array.isArray(args[1]) ? args[1].map(text).join(String(args[0])) : unknown();
        case 'Fn::Sub':
          return substituted(String(args[0]), (args[1] ?? {}) as Json);
        case 'Fn::Select':
          return selected(Number(args[0]), args[1]);
        case 'Fn::ImportValue':
          return exported(text(argument));
        case 'Fn::GetStackOutput':
          return output(argument as Json);
        default:
          return unknown();
      }
    };

    const reference = (id: string): string => {
      const pseudo = pseudoParameter(stack, id);
      if (pseudo !== undefined) return pseudo;
      const resource = stack.resources.get(id);
      if (resource !== undefined) return isMadeByPrograms(resource) ? unknown() : nameOf(resource, text);
      return parameter(id);
    };

    /** Nested stacks are given what they refer to by parameters. Of all others it is not known what they will be. */
    const parameter = (id: string): string => {
      const parent = stack.within && ofStack(stack.within.parent);
      const given = stack.within && parent?.resources.get(stack.within.given)?.properties.Parameters;
      const value = (given as Json | undefined)?.[id];
      if (parent !== undefined && value !== undefined) return texts(parent)(value);
      return `\${${stack.name}.${id}}`;
    };

    const attribute = (id: string, name: string): string => {
      const resource = stack.resources.get(id);
      if (resource?.type === 'Custom::CrossRegionExportReader') return acrossRegions(name);
      if (resource === undefined || isMadeByPrograms(resource)) return unknown();
      const nested = stacks.find((it) => it.within?.parent === stack.stack && it.within.given === id);
      if (nested !== undefined) {
        const found = nested.outputs[name.replace(/^Outputs\./, '')] as { Value: unknown } | undefined;
        return found === undefined ? unknown() : texts(nested)(found.Value);
      }
      return /Arn$/.test(name) ? arnOf(resource, text) : `${resource.construct.node.path}.${name}`;
    };

    const substituted = (pattern: string, given: Json): string =>
      pattern.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
        // The variables of policies, which IAM fills in, are escaped from CloudFormation by a `!`.
        if (name.startsWith('!')) return `\${${name.slice(1)}}`;
        if (name in given) return text(given[name]);
        const [id = '', ...path] = name.split('.');
        return path.length === 0 ? reference(name) : attribute(id, path.join('.'));
      });

    const selected = (index: number, list: unknown): string => {
      if (Array.isArray(list)) return text(list[index]);
      const split = (list as Json | null)?.['Fn::Split'];
      if (!Array.isArray(split)) return unknown();
      return splitText(text(split[1]), String(split[0]))[index] ?? unknown();
    };

    const exported = (name: string): string => {
      for (const other of stacks) {
        for (const it of Object.values(other.outputs) as { Value: unknown; Export?: { Name: unknown } }[]) {
          if (it.Export !== undefined && texts(other)(it.Export.Name) === name) return texts(other)(it.Value);
        }
      }
      return unknown();
    };

    /** What the CDK hands to a stack of another Region, by parameters that it writes there. */
    const acrossRegions = (name: string): string => {
      for (const other of stacks) {
        for (const { type, properties } of other.resources.values()) {
          const exports = (properties.WriterProps as Json | undefined)?.exports as Json | undefined;
          if (type === 'Custom::CrossRegionExportWriter' && exports !== undefined && name in exports)
            return texts(other)(exports[name]);
        }
      }
      return unknown();
    };

    const output = ({ StackName, OutputName }: Json): string => {
      const other = stacks.find(({ name }) => name === text(StackName));
      const found = other?.outputs[text(OutputName)] as { Value: unknown } | undefined;
      return other === undefined || found === undefined ? unknown() : texts(other)(found.Value);
    };

    return text;
  };
  return texts;
}

/** What CloudFormation knows by itself; undefined for any other name. */
export function pseudoParameter({ stack, name }: SynthesisedStack, id: string): string | undefined {
  const values: Readonly<Record<string, string>> = {
    'AWS::Region': stack.region,
    'AWS::AccountId': stack.account,
    'AWS::Partition': stack.partition,
    'AWS::StackName': name,
  };
  const value = values[id];
  if (value !== undefined && !Token.isUnresolved(value)) return value;
  return id.startsWith('AWS::') ? `\${${id}}` : undefined;
}

/** Splits without tearing an unknown part apart, which has colons in its name. */
function splitText(text: string, separator: string): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\$\{[^}]*\}|[\s\S]/g)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

function pairOf(args: readonly unknown[]): [string, string] {
  const [id = '', ...path] = args.length > 1 ? args.map(String) : String(args[0]).split('.');
  return [id, path.join('.')];
}
