import type { Item } from './bank.ts';

/** An action with its placeholders put in, so that what it says can be read. */
export function readable(action: Readonly<Record<string, Item>> | undefined) {
  const [[kind, input] = []] = Object.entries(action ?? {});
  const {
    ExpressionAttributeNames,
    ExpressionAttributeValues,
    ReturnValuesOnConditionCheckFailure,
    ...rest
  } = input as unknown as Record<string, Record<string, unknown>>;
  const values = Object.entries(ExpressionAttributeValues ?? {}) as [string, { S?: string; N?: string }][];
  const meaning = new Map<string, unknown>([
    ...Object.entries(ExpressionAttributeNames ?? {}),
    ...values.map(([alias, { S, N }]) => [alias, S === undefined ? N : `'${S}'`] as const),
  ]);
  const expressions = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? String(value).replace(/[#:]\w+/g, (alias) => String(meaning.get(alias)))
      : value,
  ]);
  return { kind, shows: ReturnValuesOnConditionCheckFailure, ...Object.fromEntries(expressions) };
}
