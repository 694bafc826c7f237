import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { encode } from './encode.ts';

/** The maps of a request that say what its placeholders stand for; absent where empty, as DynamoDB wants it. */
export interface AliasMaps {
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/**
 * What an expression's placeholders may begin with, one letter for each expression that a request may have
 * beside others, so that their maps can be merged.
 */
export type AliasPrefix = 'c' | 'k' | 'w';

/**
 * Collects what one expression speaks of, each under a placeholder. Every name is aliased: 573 words are
 * reserved in DynamoDB, `status`, `name`, `token` and `ttl` among them, and new ones may come.
 */
export class Aliases {
  readonly #prefix: AliasPrefix;
  readonly #names = new Map<string, string>();
  readonly #values: AttributeValue[] = [];

  constructor(prefix: AliasPrefix) {
    this.#prefix = prefix;
  }

  /** The placeholder of an attribute; the same one each time. */
  name(attribute: string): string {
    const known = this.#names.get(attribute);
    if (known !== undefined) return known;
    const alias = `#${this.#prefix}${this.#names.size}`;
    this.#names.set(attribute, alias);
    return alias;
  }

  /** The placeholder of a JavaScript value, which lies at `path` in what the caller passed. */
  value(value: unknown, path: string): string {
    return this.attributeValue(encode(value, path));
  }

  /** The placeholder of a value that is encoded already. */
  attributeValue(value: AttributeValue): string {
    this.#values.push(value);
    return `:${this.#prefix}${this.#values.length - 1}`;
  }

  maps(): AliasMaps {
    const names = [...this.#names].map(([attribute, alias]) => [alias, attribute]);
    const values = this.#values.map((value, index) => [`:${this.#prefix}${index}`, value]);
    return {
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    };
  }
}
