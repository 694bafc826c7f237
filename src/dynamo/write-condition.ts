import { InvalidInputError } from '../fence/errors.ts';
import type { Stamp } from '../fence/session.ts';
import { admission } from './admission.ts';
import { defaultAttributes, UNFENCED_VERSION } from './attributes.ts';
import { checkExpressionSize } from './expression-size.ts';
import type { FencingOptions } from './guarded.ts';
import { absent, live, unfenced } from './liveness.ts';
import { withoutOuterParentheses } from './parentheses.ts';
import type { ExpressionParts, Placeholders } from './placeholders.ts';

/** A write, as far as its condition goes. */
export interface ConditionedWrite {
  readonly stamp: Stamp;
  /** What must be there: an item that users see, none, or either. */
  readonly needs: 'live' | 'absent' | 'any';
  /** An attribute of the primary key; undefined where the input does not tell and the caller did not say. */
  readonly keyAttribute: string | undefined;
  readonly options: FencingOptions;
  readonly caller: ExpressionParts;
}

/** Everything that must hold for a write, to be joined by AND: the fence first, the caller's own condition last. */
export function writeConditions(write: ConditionedWrite, placeholders: Placeholders): string[] {
  return [
    admits(write, placeholders),
    ...expectedState(write, placeholders),
    ...expectedVersion(write, placeholders),
    ...callersCondition(write.caller),
  ];
}

/** The admission condition, under the table's policy for items without a fence. */
export function admits(
  { stamp, keyAttribute, options }: Pick<ConditionedWrite, 'stamp' | 'keyAttribute' | 'options'>,
  placeholders: Placeholders,
): string {
  const { attributes = defaultAttributes, unfenced: policy } = options;
  if (policy !== 'refuse') return admission(stamp, attributes, placeholders);
  const pk = placeholders.name(neededKey(keyAttribute, "unfenced: 'refuse'"));
  return admission(stamp, attributes, placeholders, `attribute_not_exists(${pk})`);
}

function expectedState({ needs, keyAttribute, options }: ConditionedWrite, placeholders: Placeholders) {
  const { attributes = defaultAttributes } = options;
  if (needs === 'live') return [live(neededKey(keyAttribute, 'update'), attributes, placeholders)];
  if (needs === 'absent') return [absent(neededKey(keyAttribute, 'create'), attributes, placeholders)];
  return [];
}

function expectedVersion({ keyAttribute, options }: ConditionedWrite, placeholders: Placeholders) {
  const { attributes = defaultAttributes, ifVersion } = options;
  if (ifVersion === undefined) return [];
  if (ifVersion === UNFENCED_VERSION) {
    return [unfenced(neededKey(keyAttribute, 'ifVersion'), attributes, placeholders)];
  }
  return [`${placeholders.name(attributes.version)} = ${placeholders.string(ifVersion)}`];
}

// AND binds more tightly than OR: without the parentheses the caller's OR would let anybody past the fence.
function callersCondition({ ConditionExpression }: ExpressionParts): string[] {
  if (ConditionExpression === undefined) return [];
  checkExpressionSize(ConditionExpression, 'ConditionExpression');
  return [`(${withoutOuterParentheses(ConditionExpression, 'ConditionExpression')})`];
}

function neededKey(keyAttribute: string | undefined, purpose: string): string {
  if (keyAttribute !== undefined) return keyAttribute;
  throw new InvalidInputError(
    'key',
    `the condition of ${purpose} has to name a key attribute, and an Item does not tell which one is`,
    "Pass the name of the partition key: { key: 'id' }.",
  );
}
