import { resourcesOf, type Template } from './template.ts';

interface FunctionProperties {
  readonly Handler: string;
  readonly Code: { readonly S3Key?: string };
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

/** The function of an API, with what refers to other resources made into text: their logical ids. */
export interface LocalFunction {
  /** The file and the name of what it calls, as `index.handler`. */
  readonly handler: string;
  /** The hash of its code, which names the folder that it was bundled into. */
  readonly assetHash: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The one function of a template. Pure.
 *
 * @param exporting the template whose exports it imports.
 * @throws where there is none, or another reference than to a resource or an export.
 */
export function functionOf(template: Template, exporting: Template): LocalFunction {
  const [found, second] = resourcesOf<FunctionProperties>(template, 'AWS::Lambda::Function');
  if (found === undefined || second !== undefined) throw new Error('There has to be one function.');
  const [, { Handler, Code, Environment }] = found;
  const exports = exportsOf(exporting);
  const env = Object.entries(Environment.Variables).map(([name, value]) => [name, textOf(value, exports)]);
  return { handler: Handler, assetHash: Code.S3Key?.split('.')[0] ?? '', env: Object.fromEntries(env) };
}

function exportsOf({ Outputs = {} }: Template): ReadonlyMap<unknown, unknown> {
  return new Map(Object.values(Outputs).map(({ Export, Value }) => [Export?.Name, Value]));
}

function textOf(value: unknown, exports: ReadonlyMap<unknown, unknown>): string {
  if (typeof value === 'string') return value;
  const { Ref: id, 'Fn::ImportValue': imported } = value as Readonly<Record<string, unknown>>;
  if (typeof id === 'string') return id;
  if (exports.has(imported)) return textOf(exports.get(imported), new Map());
  throw new Error(`${JSON.stringify(value)} stands for nothing here.`);
}
