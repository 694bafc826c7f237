import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { encode } from './encode.ts';
import { attributeValues } from './input-form.ts';
import { Placeholders } from './placeholders.ts';

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

/** The placeholders of one expression that the library writes itself, of names and values in JavaScript. */
export class Aliases {
  readonly #placeholders: Placeholders;

  constructor(prefix: AliasPrefix) {
    this.#placeholders = new Placeholders(prefix, attributeValues);
  }

  /** The placeholder of an attribute; the same one each time. */
  name(attribute: string): string {
    return this.#placeholders.name(attribute);
  }

  /** The placeholder of a JavaScript value, which lies at `path` in what the caller passed. */
  value(value: unknown, path: string): string {
    return this.attributeValue(encode(value, path));
  }

  /** The placeholder of a value that is encoded already. */
  attributeValue(value: AttributeValue): string {
    return this.#placeholders.value(value);
  }

  maps(): AliasMaps {
    const { names } = this.#placeholders;
    const values = this.#placeholders.values as Record<string, AttributeValue>;
    return {
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    };
  }
}
