import { Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { defaultAttributes, type HiddenAttributes } from '../../src/dynamo/attributes.ts';
import { checkProps, type PropNames, wrongProp } from './check-props.ts';

const names: PropNames<HiddenAttributes> = { fence: true, holder: true, seq: true, version: true };

/**
 * The names of the hidden attributes of a table: those that are given, and else those of the library.
 *
 * @throws Error where one is no name, or two are the same.
 */
export function hiddenAttributes(scope: IConstruct, given: Partial<HiddenAttributes> = {}): HiddenAttributes {
  checkProps<Partial<HiddenAttributes>>(scope, given, names, 'attributes');
  const set = Object.entries(given).filter(([, name]) => name !== undefined);
  const all: HiddenAttributes = { ...defaultAttributes, ...Object.fromEntries(set) };
  for (const [which, name] of Object.entries(all)) checkName(scope, `attributes.${which}`, name);
  if (new Set(Object.values(all)).size === Object.keys(all).length) return all;
  throw wrongProp(scope, 'attributes has one name twice', 'Give each of the four a name of its own');
}

/** The name of an attribute stands in the program as well, so it is known when the app is built. */
export function checkName(scope: IConstruct, prop: string, name: unknown): void {
  if (typeof name === 'string' && name !== '' && !Token.isUnresolved(name)) return;
  const what = Token.isUnresolved(name) ? 'is known only at deployment' : 'is no name';
  throw wrongProp(scope, `${prop} ${what}`, 'Pass the name that the program uses, as text');
}
