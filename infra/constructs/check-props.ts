import type { IConstruct } from 'constructs';

/** The names of all props of a construct. The compiler sees to it that none is forgotten. */
export type PropNames<P> = { readonly [Name in keyof P]-?: true };

/**
 * Refuses props that are not there, and such as nobody reads: what is meant by `tableName` or `encryption`, and dropped in silence, is a table
 * that is made anew, or is not encrypted as it should be. TypeScript lets them through where they are spread.
 *
 * @param prop the prop that has them, where they are those of one.
 * @throws Error with the path of the construct, what is wrong and what there is.
 */
export function checkProps<P extends object>(
  scope: IConstruct,
  props: P,
  names: PropNames<P>,
  prop = 'props',
): void {
  const known = Object.keys(names).join(', ');
  if (typeof props !== 'object' || props === null)
    throw wrongProp(scope, `${prop} is missing`, `Pass an object, with ${known}`);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    throw wrongProp(
      scope,
      `${prop} has ${name}, which is not known here`,
      `Leave it out. There are ${known}`,
    );
  }
}

/** A mistake in the props of a construct. */
export function wrongProp({ node }: IConstruct, problem: string, fix: string): Error {
  return new Error(`${node.path}: ${problem}. ${fix}.`);
}
