import type { Item } from '../dynamo/attributes.ts';
import type { KeyOperand } from '../dynamo/key-operands.ts';
import { keyText } from '../dynamo/plan.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { decodeCursor } from './cursor.ts';

/** What is known of the rows among which a cursor must lie. */
export interface Among {
  /** The key attributes of the table; none where a function makes the keys. */
  readonly names: readonly string[];
  /** Whether an index is read, whose keys a position names too. */
  readonly indexed: boolean;
  /** What the query asks of its key. A scan asks nothing. */
  readonly asked: ReadonlyMap<string, KeyOperand>;
}

/**
 * Refuses the cursor of another query, as far as it shows: clients hand cursors back, and mix them up.
 *
 * @throws InvalidInputError where it cannot be a position in what is read.
 */
export function checkCursor(cursor: string | undefined, { names, indexed, asked }: Among): void {
  if (cursor === undefined) return;
  const position = decodeCursor(cursor);
  const there = Object.keys(position);
  const most = indexed ? 4 : names.length || 2;
  const fits =
    there.length <= most &&
    names.every((name) => there.includes(name)) &&
    [...asked].every(([name, operand]) => isWithin(position, name, operand));
  if (fits) return;
  throw new InvalidInputError(
    'cursor',
    'it is the position in another query: of another key, index or table',
    'Pass it with the key and the index of the page that it came from, or leave it out to begin.',
  );
}

function isWithin(position: Item, name: string, { value, equal }: KeyOperand): boolean {
  const at = Object.hasOwn(position, name) ? position[name] : undefined;
  if (at === undefined || Object.keys(at)[0] !== Object.keys(value)[0]) return false;
  return !equal || keyText({ [name]: at }) === keyText({ [name]: value });
}
