import type { Input, Op } from '../simulation/ask.ts';
import type { Row, Step } from '../simulation/storage.ts';

/** What a request does to a row. */
export interface Executor {
  execute(row: Row | undefined, op: Op, input: Input): Promise<Step>;
}

const holders = /[A-Z]\/\d+/g;
const times = /\d{5,}/g;
// A request names one item.
const items = /"[kl]"/g;

/**
 * Asks with the first names and the smallest numbers that say the same. Conditions compare holders only for
 * equality, tokens and times only with each other, and nothing with the key, so most questions of a random
 * history are those of another one under other names. The engine, which takes long to read an expression, is
 * asked once.
 */
export function renamed(engine: Executor): Executor {
  return {
    async execute(row, op, input) {
      const text = JSON.stringify([row ?? null, op, input]);
      const there = new Map<string, string>();
      const order = [...new Set(text.match(times))].sort((a, b) => Number(a) - Number(b));
      for (const [rank, time] of order.entries()) there.set(time, String(10_000 + rank));
      for (const holder of new Set(text.match(holders))) there.set(holder, `A/${there.size - order.length}`);
      for (const item of text.match(items)?.slice(0, 1) ?? []) there.set(item, '"k"');
      const back = new Map([...there].map(([name, other]) => [other, name]));
      const rename = <T>(value: T, names: ReadonlyMap<string, string>): T =>
        JSON.parse(replaced(JSON.stringify(value ?? null), names)) ?? undefined;

      const [otherRow, , otherInput] = JSON.parse(replaced(text, there));
      const { row: after, answer } = await engine.execute(otherRow ?? undefined, op, otherInput);
      if ('output' in answer)
        return { row: rename(after, back), answer: { output: rename(answer.output, back) } };
      const { name, message } = answer.error;
      const error = Object.assign(new Error(message), rename({ ...answer.error, name }, back));
      return { row: rename(after, back), answer: { error } };
    },
  };
}

function replaced(text: string, names: ReadonlyMap<string, string>): string {
  const name = (found: string) => names.get(found) ?? found;
  return text.replace(holders, name).replace(times, name).replace(items, name);
}
