import { placeText } from '../dynamo/plan.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { Part } from './part.ts';

/** What a transaction does to one item: at most one write, and whatever is checked beside it. */
export interface Action {
  /** In the order of the steps. */
  readonly parts: readonly Part[];
  /** The step that writes; undefined where the item is only checked. */
  readonly writer: Part | undefined;
}

/** DynamoDB's limit. */
export const MOST_ACTIONS = 100;

/**
 * Puts the steps on one item together, because DynamoDB takes one action per item.
 *
 * @throws InvalidInputError where two steps write one item, or there are too many items.
 */
export function actionsOf(parts: readonly Part[]): readonly Action[] {
  const byPlace = new Map<string, Part[]>();
  for (const part of parts) {
    const place = placeText(part.tableName, part.key);
    byPlace.set(place, [...(byPlace.get(place) ?? []), part]);
  }
  const actions = [...byPlace.values()].map((together) => ({
    parts: together,
    writer: onlyWriter(together),
  }));
  if (actions.length <= MOST_ACTIONS) return actions;
  throw new InvalidInputError(
    'steps',
    `they touch ${actions.length} items (${parts[0]?.path} to ${parts.at(-1)?.path}), and a transaction takes ${MOST_ACTIONS}, checks included`,
    'Split it, or keep what must change together in fewer items.',
  );
}

function onlyWriter(parts: readonly Part[]): Part | undefined {
  const [writer, second] = parts.filter(({ write }) => write !== undefined);
  if (second === undefined) return writer;
  throw new InvalidInputError(
    second.path,
    `it writes ${second.item}, and so does ${writer?.path}`,
    'A transaction writes an item once: put both changes into one step.',
  );
}
