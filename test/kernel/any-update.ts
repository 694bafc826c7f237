import fc from 'fast-check';
import type { Item } from '../../src/dynamo/attributes.ts';

/** The expressions of an update, before the fence. */
export interface OwnParts {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

const blank = fc.constantFrom(' ', '  ', '\n', '\t');
const alias = fc.constantFrom('#df0', '#df1', '#df10', '#df1_0', '#df2_3', '#d', '#x1', '#set', '#SET');
const prefix = fc.constantFrom(':df', ':df1_', ':v', ':set');

/**
 * Updates as people write them: clauses in any order and case, with or without aliases, some of which look like
 * ours; and conditions that hold, or not, with AND, OR and NOT.
 */
export const anyUpdate = fc
  .record({
    actions: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'n', 'm', 'tags', 'gone'), {
      minLength: 1,
      maxLength: 5,
    }),
    order: fc.shuffledSubarray(['SET', 'REMOVE', 'ADD', 'DELETE'], { minLength: 4 }),
    upper: fc.boolean(),
    blank,
    aliases: fc.uniqueArray(alias, { minLength: 7, maxLength: 7 }),
    aliased: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    prefix,
    condition: fc.constantFrom(
      undefined,
      'T',
      'F',
      'T OR F',
      'F OR T',
      'F OR F',
      'NOT F',
      'F OR T AND T',
      '(F OR T) AND T',
      '(F) OR (F)',
    ),
  })
  .map(({ actions, order, upper, blank, aliases, aliased, prefix, condition }) => {
    const names: Record<string, string> = {};
    const values: Item = {};
    const name = (attribute: (typeof actions)[number]) => {
      const n = actions.indexOf(attribute);
      if (!aliased[n]) return attribute;
      names[aliases[n]!] = attribute;
      return aliases[n]!;
    };
    const value = (of: Item[string]) => {
      const placeholder = `${prefix}${Object.keys(values).length}`;
      values[placeholder] = of;
      return placeholder;
    };
    const clauses: Record<string, string[]> = { SET: [], REMOVE: [], ADD: [], DELETE: [] };
    for (const attribute of actions) {
      const at = name(attribute);
      if (attribute === 'n') clauses.ADD!.push(`${at}${blank}${value({ N: '3' })}`);
      else if (attribute === 'tags') clauses.DELETE!.push(`${at}${blank}${value({ SS: ['x'] })}`);
      else if (attribute === 'gone' || attribute === 'c') clauses.REMOVE!.push(at);
      else if (attribute === 'm') clauses.SET!.push(`${at}.deep${blank}=${blank}${value({ S: 'deeper' })}`);
      else if (attribute === 'b') clauses.SET!.push(`${at}=if_not_exists(${at},${value({ S: 'b' })})`);
      else clauses.SET!.push(`${at} = ${value({ S: 'new' })}`);
    }
    const UpdateExpression = order
      .filter((keyword) => clauses[keyword]!.length > 0)
      .map(
        (keyword) =>
          `${upper ? keyword : keyword.toLowerCase()}${blank}${clauses[keyword]!.join(`,${blank}`)}`,
      )
      .join(blank);
    const ConditionExpression = condition?.replaceAll(/\b[TF]\b/g, (truth) =>
      truth === 'T' ? 'attribute_exists(id)' : `seen${blank}=${blank}${value({ S: 'never' })}`,
    );
    const parts: OwnParts = {
      UpdateExpression,
      ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
      ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
    };
    const content: Item = {
      a: { S: 'a' },
      c: { S: 'c' },
      n: { N: '1' },
      m: { M: { deep: { S: 'deep' } } },
      tags: { SS: ['x', 'y'] },
      gone: { BOOL: true },
    };
    return { content, parts };
  });
