import type { CallOptions } from 'dynamodb-fenced';
import type { Entry, Line } from './records.ts';
import type { Tables } from './tables.ts';

/** Something that does not add up. */
export type Finding =
  | {
      readonly is: 'balance';
      readonly account: string;
      readonly balance: number;
      /** What the lines of the account come to. */
      readonly journal: number;
    }
  /** An account that changed whenever it was looked at: it was not audited. */
  | { readonly is: 'busy'; readonly account: string }
  /** A line that is not what its entry says, or has none. */
  | { readonly is: 'line'; readonly line: Line }
  /** An entry of which a line is missing, or says something else. */
  | { readonly is: 'entry'; readonly entry: Entry };

/** What an audit has looked at, and what it found. */
export interface AuditResult {
  readonly ok: boolean;
  readonly accounts: number;
  readonly entries: number;
  readonly lines: number;
  readonly findings: readonly Finding[];
}

const MOST_LOOKS = 10;

/** Every balance against its lines, every line against its entry, and every entry against its two lines. */
export async function audit(tables: Tables, options: CallOptions): Promise<AuditResult> {
  const findings: Finding[] = [];
  const count = { accounts: 0, entries: 0, lines: 0 };
  for await (const { id } of tables.accounts.scan({ ...options, consistent: true })) {
    const found = await auditAccount(tables, id, options);
    count.accounts++;
    count.lines += found.lines;
    findings.push(...found.findings);
  }
  for await (const { items } of tables.entries.scan({ ...options, consistent: true }).pages()) {
    count.entries += items.length;
    findings.push(...(await brokenEntries(tables, items, options)));
  }
  return { ok: findings.length === 0, ...count, findings };
}

// A version is never used again, so lines that were read between two looks at the same one belong to that balance.
async function auditAccount(tables: Tables, id: string, options: CallOptions) {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const before = await tables.accounts.get({ id }, options);
    const { journal, lines, findings } = await addUp(tables, id, options);
    const after = await tables.accounts.get({ id }, options);
    if (before?.version !== after?.version) continue;
    const balance = before?.item.balance ?? 0;
    if (balance === journal) return { lines, findings };
    return { lines, findings: [...findings, { is: 'balance', account: id, balance, journal } as const] };
  }
  return { lines: 0, findings: [{ is: 'busy', account: id } as const] };
}

async function addUp({ lines, entries }: Tables, account: string, options: CallOptions) {
  let journal = 0;
  let count = 0;
  const findings: Finding[] = [];
  for await (const { items } of lines.query({ ...options, key: { account }, consistent: true }).pages()) {
    const found = await entries.getMany(
      items.map(({ entry }) => ({ id: entry })),
      options,
    );
    for (const [index, line] of items.entries()) {
      journal += line.amount;
      count++;
      const entry = found[index]?.item;
      if (entry === undefined || !linesOf(entry).some(isLike(line))) findings.push({ is: 'line', line });
    }
  }
  return { journal, lines: count, findings };
}

async function brokenEntries({ lines }: Tables, entries: readonly Entry[], options: CallOptions) {
  const expected = entries.flatMap(linesOf);
  const found = await lines.getMany(expected, options);
  return entries.flatMap((entry, index): Finding[] => {
    const both = [2 * index, 2 * index + 1];
    const isWhole = both.every((at) => {
      const [stored, line] = [found[at]?.item, expected[at]];
      return stored !== undefined && line !== undefined && isLike(line)(stored);
    });
    return isWhole ? [] : [{ is: 'entry', entry }];
  });
}

/** The two lines that belong to an entry. */
function linesOf(entry: Entry): readonly Line[] {
  const { id, from, to, amount, fromToken, toToken, atMs } = entry;
  return [
    { account: from, token: fromToken, amount: -amount, counterpart: to, entry: id, atMs },
    { account: to, token: toToken, amount, counterpart: from, entry: id, atMs },
  ];
}

function isLike(one: Line) {
  return (other: Line) =>
    one.account === other.account &&
    one.token === other.token &&
    one.amount === other.amount &&
    one.counterpart === other.counterpart &&
    one.entry === other.entry;
}
