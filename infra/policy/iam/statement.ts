import { branchesOf, elementsOf } from './branches.ts';

/** A statement of a policy with its texts resolved, as far as they can be: `${AWS::Region}` stands for what cannot. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: Match;
  readonly resources: Match;
  readonly condition: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Of resource policies: whom it is about. */
  readonly principals?: Match;
  /** False where the statement itself stands under a condition of the template. */
  readonly certain: boolean;
  /** Elements that nobody has thought of here. */
  readonly unknownElements: readonly string[];
}

/** Patterns, of which one matches; or, as in `NotAction`, none does. */
export interface Match {
  readonly patterns: readonly string[];
  readonly negated: boolean;
}

/** Makes the text of a value of a template, in which intrinsic functions may stand. */
export type TextOf = (value: unknown) => string;

type Json = Readonly<Record<string, unknown>>;

/**
 * The statements of a policy document, or of a list of them.
 *
 * @param textOf makes texts of what is in them; by default of texts alone.
 */
export function statementsOf(document: unknown, textOf: TextOf = String): Statement[] {
  return branchesOf(document).flatMap(({ value, certain }) =>
    elementsOf((value as Json | null)?.Statement, certain).flatMap((element) => {
      const json = (element.value ?? {}) as Json;
      const { Effect } = json;
      return Effect === 'Allow' || Effect === 'Deny' ? [parse(json, Effect, textOf, element.certain)] : [];
    }),
  );
}

const elements = new Set([
  'Sid',
  'Effect',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
  'Principal',
  'NotPrincipal',
]);

function parse(json: Json, effect: Statement['effect'], textOf: TextOf, certain: boolean): Statement {
  const principals = json.Principal ?? json.NotPrincipal;
  return {
    effect,
    certain,
    actions: match(json, 'Action', textOf),
    resources: match(json, 'Resource', textOf),
    condition: conditionOf(json.Condition, textOf),
    ...(principals !== undefined && {
      principals: { patterns: principalsOf(principals, textOf), negated: json.Principal === undefined },
    }),
    unknownElements: Object.keys(json).filter((name) => !elements.has(name)),
  };
}

function match(json: Json, name: 'Action' | 'Resource', textOf: TextOf): Match {
  const negated = json[name] === undefined;
  return { patterns: texts(json[negated ? `Not${name}` : name], textOf), negated };
}

function conditionOf(condition: unknown, textOf: TextOf): Statement['condition'] {
  const operators = Object.entries((condition ?? {}) as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    operators.map(([operator, keys]) => [
      operator,
      Object.fromEntries(Object.entries(keys ?? {}).map(([key, values]) => [key, texts(values, textOf)])),
    ]),
  );
}

/** `*` for everybody, an ARN for somebody of IAM, and for others what they are called, with the kind before it. */
function principalsOf(principals: unknown, textOf: TextOf): string[] {
  if (typeof principals !== 'object' || principals === null) return texts(principals, textOf);
  return Object.entries(principals).flatMap(([kind, names]) =>
    texts(names, textOf).map((name) => (kind === 'AWS' || name === '*' ? name : `${kind}:${name}`)),
  );
}

function texts(value: unknown, textOf: TextOf): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(textOf);
}
