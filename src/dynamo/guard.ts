import { InvalidInputError } from '../fence/errors.ts';
import type { Stamp } from '../fence/session.ts';
import { admission, type UnfencedPolicy } from './admission.ts';
import { defaultAttributes, type HiddenAttributes, UNFENCED_VERSION, versionOf } from './attributes.ts';
import { refuseHiddenAttributes, refuseLegacyParameters } from './guard-checks.ts';
import { formOf, type InputForm } from './input-form.ts';
import { absent, live, unfenced } from './liveness.ts';
import { type ExpressionParts, Placeholders } from './placeholders.ts';
import { spliceSet } from './update-expression.ts';

// Users type their inputs with the SDK's own types, of either client.
// biome-ignore lint/suspicious/noExplicitAny: both forms must be accepted.
type AnyValues = Record<string, any>;

/** What {@link guard} needs of a PutItem input, or of the Put of a transaction. */
export interface PutLike extends ExpressionParts {
  readonly TableName: string | undefined;
  readonly Item: AnyValues | undefined;
}

/** What {@link guard} needs of an UpdateItem input, or of the Update of a transaction. */
export interface UpdateLike extends ExpressionParts {
  readonly TableName: string | undefined;
  readonly Key: AnyValues | undefined;
}

/** What {@link entomb} needs of a DeleteItem input, or of the Delete of a transaction. */
export type DeleteLike = UpdateLike;

/** How the fence is kept; the same for every write of a table. */
export interface FencingOptions {
  /** The names of the hidden attributes; default {@link defaultAttributes}. */
  readonly attributes?: HiddenAttributes;
  /** Items without a fence: `adopt` stamps them on the first write, `refuse` does not. Default `adopt`. */
  readonly unfenced?: UnfencedPolicy;
  /** Only if the item's version (as the repository shows it) is this one. */
  readonly ifVersion?: string;
}

export interface GuardOptions extends FencingOptions {
  /** What the request means: `update` needs a live item, `upsert` makes one, `create` needs that there is none, `put` takes either. */
  readonly as: 'put' | 'create' | 'update' | 'upsert';
  /** The name of a key attribute. Needed for a Put that creates, refuses unfenced items, or names a version. */
  readonly key?: string;
}

/** The parts that a guarded input has in any case. */
export interface Guarded {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: AnyValues;
  readonly ReturnValuesOnConditionCheckFailure: 'ALL_OLD';
}

/**
 * Turns a write of your own into a fenced one: adds the admission condition in front of your own condition
 * (which is put into parentheses), and the stamp to what is written. Pure: it sends nothing, and returns a
 * new input. It works on the inputs of either client, and on the Put and Update of a transaction.
 *
 * @param input your PutItem or UpdateItem input. It must not touch the hidden attributes.
 * @param stamp from `nextStamp(fence)`, a new one for every logical write.
 * @param options what the write means, and how the table keeps its fences.
 * @returns the input to send. Send it as often as you like: it applies once.
 * @throws InvalidInputError where the input touches the hidden attributes or uses legacy parameters.
 * @example
 * const stamp = nextStamp(lease);
 * const input = guard({ TableName, Key, UpdateExpression: 'ADD balance :n', ExpressionAttributeValues }, stamp, { as: 'update' });
 */
export function guard<I extends PutLike | UpdateLike>(
  input: I,
  stamp: Stamp,
  options: GuardOptions,
): I & Guarded {
  const { attributes = defaultAttributes, as } = options;
  const isPut = 'Item' in input;
  checkMeaning(isPut, as);
  refuseLegacyParameters(input);
  refuseHiddenAttributes(input, attributes);
  const subject = (isPut ? (input as PutLike).Item : (input as UpdateLike).Key) ?? {};
  const form = formOf(subject, isPut ? 'Item' : 'Key');
  const placeholders = new Placeholders(input, form);
  const keyAttribute = isPut ? options.key : Object.keys(subject)[0];

  const conditions = [
    admits(stamp, keyAttribute, options, placeholders),
    ...expectedState(as, keyAttribute, attributes, placeholders),
    ...expectedVersion(keyAttribute, options, attributes, placeholders),
    ...callersCondition(input),
  ];
  const content = isPut
    ? { Item: { ...subject, ...stampedAttributes(stamp, attributes, form, true) } }
    : {
        UpdateExpression: spliceSet(
          input.UpdateExpression,
          stampAssignments(stamp, attributes, placeholders, true),
        ),
      };
  return finish({ ...input, ...content }, conditions, placeholders);
}

/**
 * Turns a delete of your own into a write of the tombstone: the item goes, the memory of its fence stays,
 * so that an older holder cannot bring it back. Pure, like {@link guard}.
 *
 * @param input your DeleteItem input. With a condition or `ifVersion` the item must be live; without, anything may be there.
 * @returns a PutItem input that leaves the key and the stamp.
 * @throws InvalidInputError as {@link guard}.
 * @example
 * await client.send(new PutItemCommand(entomb({ TableName, Key: { id: { S: 'a1' } } }, nextStamp(lease))));
 */
export function entomb<I extends DeleteLike>(
  input: I,
  stamp: Stamp,
  options: FencingOptions = {},
): Omit<I, 'Key'> & { readonly Item: NonNullable<I['Key']> } & Guarded {
  const { attributes = defaultAttributes } = options;
  refuseLegacyParameters(input);
  refuseHiddenAttributes(input, attributes);
  const { Key, ...rest } = input;
  const form = formOf(Key ?? {}, 'Key');
  const placeholders = new Placeholders(input, form);
  const keyAttribute = Object.keys(Key ?? {})[0];
  const conditional = input.ConditionExpression !== undefined || options.ifVersion !== undefined;

  const conditions = [
    admits(stamp, keyAttribute, options, placeholders),
    ...expectedState(conditional ? 'update' : 'put', keyAttribute, attributes, placeholders),
    ...expectedVersion(keyAttribute, options, attributes, placeholders),
    ...callersCondition(input),
  ];
  const Item = { ...Key, ...stampedAttributes(stamp, attributes, form, false) } as NonNullable<I['Key']>;
  return finish({ ...rest, Item }, conditions, placeholders);
}

/** What {@link claimInput} needs. */
export interface ClaimLike {
  readonly TableName: string;
  readonly Key: AnyValues;
}

/**
 * The request that raises the fence of an item without touching its content, and reads it in the same step.
 * Once it was accepted, no older holder can write, also where the item does not exist. Pure.
 *
 * An item that exists without a fence is refused, because a stamp alone would turn it into a tombstone:
 * send the input made with `adopt: true` then, which gives it a version too.
 *
 * @returns an UpdateItem input with `ReturnValues: 'ALL_NEW'`.
 * @example
 * const { Attributes } = await client.send(new UpdateItemCommand(claimInput({ TableName, Key }, nextStamp(lease))));
 */
export function claimInput<I extends ClaimLike>(
  input: I,
  stamp: Stamp,
  options: FencingOptions & { readonly adopt?: boolean } = {},
): I & Guarded & { readonly UpdateExpression: string; readonly ReturnValues: 'ALL_NEW' } {
  const { attributes = defaultAttributes, adopt = false } = options;
  const placeholders = new Placeholders({}, formOf(input.Key, 'Key'));
  const keyAttribute = Object.keys(input.Key)[0] as string;
  const pk = placeholders.name(keyAttribute);
  const fence = placeholders.name(attributes.fence);
  const conditions = adopt
    ? [unfenced(keyAttribute, attributes, placeholders)]
    : [
        admits(stamp, keyAttribute, options, placeholders),
        `(attribute_exists(${fence}) OR attribute_not_exists(${pk}))`,
      ];
  const UpdateExpression = spliceSet(undefined, stampAssignments(stamp, attributes, placeholders, adopt));
  return finish({ ...input, UpdateExpression, ReturnValues: 'ALL_NEW' as const }, conditions, placeholders);
}

function admits(
  stamp: Stamp,
  keyAttribute: string | undefined,
  options: FencingOptions,
  placeholders: Placeholders,
) {
  const { attributes = defaultAttributes, unfenced: policy } = options;
  if (policy !== 'refuse') return admission(stamp, attributes, placeholders);
  const pk = placeholders.name(neededKey(keyAttribute, "unfenced: 'refuse'"));
  return admission(stamp, attributes, placeholders, `attribute_not_exists(${pk})`);
}

function expectedState(
  as: GuardOptions['as'],
  keyAttribute: string | undefined,
  attributes: HiddenAttributes,
  placeholders: Placeholders,
): string[] {
  if (as === 'update') return [live(neededKey(keyAttribute, 'update'), attributes, placeholders)];
  if (as === 'create') return [absent(neededKey(keyAttribute, 'create'), attributes, placeholders)];
  return [];
}

function expectedVersion(
  keyAttribute: string | undefined,
  { ifVersion }: FencingOptions,
  attributes: HiddenAttributes,
  placeholders: Placeholders,
): string[] {
  if (ifVersion === undefined) return [];
  if (ifVersion === UNFENCED_VERSION)
    return [unfenced(neededKey(keyAttribute, 'ifVersion'), attributes, placeholders)];
  return [`${placeholders.name(attributes.version)} = ${placeholders.string(ifVersion)}`];
}

// AND binds more tightly than OR: without the parentheses the caller's OR would let anybody past the fence.
function callersCondition({ ConditionExpression }: ExpressionParts): string[] {
  return ConditionExpression === undefined ? [] : [`(${ConditionExpression})`];
}

function stampedAttributes(
  stamp: Stamp,
  attributes: HiddenAttributes,
  form: InputForm,
  withVersion: boolean,
): AnyValues {
  return {
    [attributes.fence]: form.number(stamp.token),
    [attributes.holder]: form.string(stamp.holder),
    [attributes.seq]: form.number(stamp.seq),
    ...(withVersion ? { [attributes.version]: form.string(versionOf(stamp)) } : {}),
  };
}

function stampAssignments(
  stamp: Stamp,
  attributes: HiddenAttributes,
  placeholders: Placeholders,
  withVersion: boolean,
): string[] {
  const assign = (name: string, value: string) => `${placeholders.name(name)} = ${value}`;
  return [
    assign(attributes.fence, placeholders.number(stamp.token)),
    assign(attributes.holder, placeholders.string(stamp.holder)),
    assign(attributes.seq, placeholders.number(stamp.seq)),
    ...(withVersion ? [assign(attributes.version, placeholders.string(versionOf(stamp)))] : []),
  ];
}

function finish<I extends ExpressionParts>(
  input: I,
  conditions: readonly string[],
  placeholders: Placeholders,
) {
  return {
    ...input,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { ...input.ExpressionAttributeNames, ...placeholders.names },
    ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ...placeholders.values },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function neededKey(keyAttribute: string | undefined, purpose: string): string {
  if (keyAttribute !== undefined) return keyAttribute;
  throw new InvalidInputError(
    'key',
    `the condition of ${purpose} has to name a key attribute, and an Item does not tell which one is`,
    "Pass the name of the partition key: { key: 'id' }.",
  );
}

function checkMeaning(isPut: boolean, as: GuardOptions['as']): void {
  const allowed = isPut ? ['put', 'create'] : ['update', 'upsert'];
  if (allowed.includes(as)) return;
  throw new InvalidInputError(
    'as',
    `${JSON.stringify(as)} does not fit an input with ${isPut ? 'an Item' : 'a Key'}`,
    `Pass ${allowed.map((word) => `'${word}'`).join(' or ')}.`,
  );
}
