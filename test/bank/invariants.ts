import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { till } from './bank.ts';
import type { Plan } from './plan.ts';
import type { Run } from './run-bank.ts';

/** What the run has broken, in words; empty where all is right. */
export async function violations(plan: Plan, { bank, told, overtakings }: Run): Promise<string[]> {
  const found: string[] = [];
  const expect = (what: string, is: unknown, should: unknown) => {
    if (is !== should) found.push(`${what} is ${is}, and should be ${should}`);
  };
  const audited = await bank.ledger.audit();
  for (const finding of audited.findings) found.push(`audit: ${JSON.stringify(finding)}`);

  const done = new Map(plan.orders.filter(({ covered }) => covered).map((order) => [order.key, order]));
  const balances = new Map(Object.entries(plan.opening));
  for (const { from, to, amount } of done.values()) {
    balances.set(from, (balances.get(from) ?? 0) - amount);
    balances.set(to, (balances.get(to) ?? 0) + amount);
  }
  let sum = 0;
  for await (const { id, balance } of bank.ledger.tables.accounts.scan({ consistent: true })) {
    sum += balance;
    if (id !== till) expect(`the balance of ${id}`, balance, balances.get(id));
  }
  expect('the sum of all balances', sum, 0);

  // Read without the library: what is stored, and not what it shows.
  const entries = await countBy(bank, bank.tableNames.entries, 'id');
  const lines = await countBy(bank, bank.tableNames.lines, 'entry');
  const others = overtakings.length + Object.keys(plan.opening).length;
  expect('the number of entries', entries.size, done.size + others);
  // Both ways: an entry without lines, and lines without an entry.
  for (const entry of new Set([...entries.keys(), ...lines.keys()])) {
    expect(`the number of lines of ${entry}`, lines.get(entry) ?? 0, 2);
    expect(`the number of entries ${entry}`, entries.get(entry) ?? 0, 1);
  }
  for (const { key, covered } of plan.orders) {
    const { answers = [], moved = 0 } = told.get(key) ?? {};
    const last = answers.at(-1);
    expect(`${key} in the journal`, entries.get(key) ?? 0, covered ? 1 : 0);
    expect(`${key} as told`, last?.is, covered ? 'moved' : 'refused');
    const first = answers.filter((answer) => answer.is === 'moved' && !answer.replayed).length + moved;
    if (first > 1) found.push(`${key} was carried out ${first} times, as told`);
  }
  return found;
}

/** Every planned mishap must have happened, and been noticed by those whom it concerns. */
export function unbitten(plan: Plan, { told, struck, bitten }: Run): string[] {
  return plan.orders.flatMap(({ key, mishap }) => {
    if (mishap === undefined) return [];
    const { answers = [] } = told.get(key) ?? {};
    const wasFenced = answers.some((answer) => answer.is === 'refused' && answer.reason === 'fenced');
    const wasReplayed = answers.some((answer) => answer.is === 'moved' && answer.replayed);
    if (!struck.has(key)) return [`${mishap} did not strike ${key}`];
    if (bitten.get(key)?.() === false) return [`${mishap} struck ${key}, and nothing came of it`];
    if (mishap === 'stopped' && !wasFenced)
      return [`${key} was stopped, and not fenced: ${JSON.stringify(answers)}`];
    const replays = ['lost', 'asked-twice', 'killed'].includes(mishap);
    return replays && !wasReplayed ? [`${key} was ${mishap}, and not replayed`] : [];
  });
}

async function countBy({ client }: Run['bank'], TableName: string, name: string) {
  const counts = new Map<string, number>();
  let ExclusiveStartKey: Record<string, never> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    for (const item of page.Items ?? []) {
      const of = item[name]?.S ?? '';
      counts.set(of, (counts.get(of) ?? 0) + 1);
    }
    ExclusiveStartKey = page.LastEvaluatedKey as typeof ExclusiveStartKey;
  } while (ExclusiveStartKey !== undefined);
  return counts;
}
