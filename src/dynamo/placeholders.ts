import type { InputForm } from './input-form.ts';

/** The parts of a request's expressions that may hold placeholders. */
export interface ExpressionParts {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  // Typed by the caller's own input: attribute values, or plain ones.
  // biome-ignore lint/suspicious/noExplicitAny: both forms must be accepted.
  readonly ExpressionAttributeValues?: Record<string, any> | undefined;
}

/**
 * Collects names and values of a request, each under a placeholder. Every name has one: 573 words are
 * reserved in DynamoDB, `status`, `name`, `token` and `ttl` among them, and new ones may come.
 */
export class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};
  readonly #prefix: string;
  readonly #form: InputForm;
  readonly #byName = new Map<string, string>();
  #count = 0;

  constructor(prefix: string, form: InputForm) {
    this.#prefix = prefix;
    this.#form = form;
  }

  /** The placeholder of an attribute; the same one each time. */
  name(attribute: string): string {
    const known = this.#byName.get(attribute);
    if (known !== undefined) return known;
    const placeholder = `#${this.#prefix}${this.#byName.size}`;
    this.#byName.set(attribute, placeholder);
    this.names[placeholder] = attribute;
    return placeholder;
  }

  number(value: number): string {
    return this.value(this.#form.number(value));
  }

  string(value: string): string {
    return this.value(this.#form.string(value));
  }

  /** A value that is in the input's form already. */
  value(value: unknown): string {
    const placeholder = `:${this.#prefix}${this.#count++}`;
    this.values[placeholder] = value;
    return placeholder;
  }
}

/**
 * For what goes beside expressions of a caller's own. All of ours share a prefix that no placeholder of the caller's begins
 * with, so neither can overwrite the other.
 */
export function placeholdersBeside(caller: ExpressionParts, form: InputForm): Placeholders {
  return new Placeholders(freePrefix(caller), form);
}

// What the caller *uses* counts too: a placeholder that was forgotten in the maps must stay the caller's error.
function freePrefix(caller: ExpressionParts): string {
  const text = [
    caller.ConditionExpression,
    caller.UpdateExpression,
    ...Object.keys(caller.ExpressionAttributeNames ?? {}),
    ...Object.keys(caller.ExpressionAttributeValues ?? {}),
  ].join(' ');
  for (let n = 0; ; n++) {
    const prefix = n === 0 ? 'df' : `df${n}_`;
    if (!text.includes(`#${prefix}`) && !text.includes(`:${prefix}`)) return prefix;
  }
}
