import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/documents.mjs';
import { type LogLine, logTo } from '../../src/observe/index.ts';
import { playIncident } from '../observe/incident.ts';
import { type Row, runQuery, shownOf } from '../observe/logs-insights.ts';

const document = readFileSync(`${root}docs/operations.md`, 'utf8');

/** The code block behind `<!-- incident: name -->`. */
function block(name: string): string {
  const found = new RegExp(`<!-- incident: ${name} -->\\n+\`\`\`\\w+\\n(?<text>[^]*?)\\n\`\`\``).exec(
    document,
  );
  return found?.groups?.text ?? '';
}

/** A line as the document shows it: the ids of requests are nobody's to compare. */
function printed(line: LogLine): string {
  return JSON.stringify('requestId' in line ? { ...line, requestId: '…' } : line);
}

describe('the incident in docs/operations.md', () => {
  const lines: LogLine[] = [];
  let newerHolder: string;
  beforeAll(async () => {
    const note = (line: LogLine) => lines.push(line);
    using _ = logTo({ debug: note, info: note, warn: note, error: note });
    newerHolder = (await playIncident()).b.holder;
  });

  /** What a log group holds: the lines of both processes, of other accounts where all went well, and of other programs. */
  const group = (): Row[] => {
    const others = lines
      .filter(({ event }) => event !== 'refusal' && event !== 'loss')
      .flatMap((line) => ['account/a2', 'account/a10'].map((resource) => ({ ...line, resource })));
    const theirs = [
      { message: 'START RequestId: 1' },
      { event: 'refusal', reason: 'held', resource: 'account/a2' },
    ];
    const all: readonly Row[] = [...others, ...lines, ...theirs];
    // As they come from several log streams.
    return all
      .toReversed()
      .map((line) => ({ '@timestamp': line.atMs, '@message': JSON.stringify(line), ...line }));
  };

  it('is the one of the demo, line by line, until A has let go', () => {
    const end = lines.findIndex(({ event, holder }) => event === 'release' && holder !== newerHolder);
    expect(block('lines').split('\n')).toEqual(lines.slice(0, end + 1).map(printed));
  });

  it('is found by the first query, and nothing else is', () => {
    expect(runQuery(block('find'), group()).map(shownOf)).toEqual([
      { resource: 'account/a1', reason: 'fenced', lastHolder: newerHolder, refusals: 1 },
    ]);
  });

  it('is told from first to last by the second query, in the order in which it happened', () => {
    const rows = runQuery(block('follow'), group()).map(shownOf);
    expect(rows.map(({ event }) => event)).toEqual([
      ...['acquire', 'claim', 'renew', 'wait', 'acquire', 'claim', 'renew', 'write', 'release'],
      ...['loss', 'refusal', 'release', 'acquire', 'claim', 'renew', 'write', 'release'],
    ]);
    const refusal = lines.find(({ event }) => event === 'refusal');
    const { token, holder, lastToken } = refusal as LogLine;
    expect(rows[10]).toEqual({
      ...{ '@timestamp': refusal?.atMs, event: 'refusal', verb: 'put', reason: 'fenced', token, holder },
      ...{ lastToken, lastHolder: newerHolder, applied: 'no' },
    });
  });
});

describe('a query that says more than is tested', () => {
  it.each([
    'parse @message "*" as a',
    'filter resource like /a1/',
    'filter a < 1',
    'stats max(a) by b',
    'sort a',
  ])('is an error: %s', (query) => {
    expect(() => runQuery(query, [{ a: 1 }])).toThrow('not known');
  });

  it('filters by every term, with numbers, texts and lists', () => {
    const rows = [{ a: 1, b: 'x' }, { a: 2, b: 'x' }, { a: 2, b: 'y' }, { b: 'z' }];
    expect(runQuery('filter a = 2 and b != "y"', rows)).toEqual([{ a: 2, b: 'x' }]);
    expect(runQuery('filter b in ["y", "z"]', rows)).toEqual([{ a: 2, b: 'y' }, { b: 'z' }]);
  });
});
