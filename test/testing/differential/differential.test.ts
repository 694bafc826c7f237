import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type RunningEngine } from '../../engines/engines.ts';
import { answerTo } from './answer.ts';
import type { Scenario } from './request.ts';
import { conditions } from './requests/conditions.ts';
import { errors } from './requests/errors.ts';
import { numbers } from './requests/numbers.ts';
import { pages } from './requests/pages.ts';
import { singleWrites } from './requests/single-writes.ts';
import { tokens } from './requests/tokens.ts';
import { transactions } from './requests/transactions.ts';
import { updates } from './requests/updates.ts';
import { tolerated } from './tolerated.ts';

/*
 * The local DynamoDB judged by dynoxide: the same requests, in the same order, must get the same answers, the
 * same error names, the same reasons with the same items. What differs is in `tolerated.ts`, each with its
 * reason, and an entry there that no longer differs fails too.
 */

const scenarios: readonly Scenario[] = [
  singleWrites,
  updates,
  conditions,
  numbers,
  pages,
  transactions,
  tokens,
  errors,
];

const judged =
  engines.some(({ name }) => name === 'dynoxide') && engines.some(({ name }) => name === 'local');

describe.skipIf(!judged)('the local DynamoDB and dynoxide give the same answers', () => {
  let local: RunningEngine;
  let dynoxide: RunningEngine;
  let equal = 0;
  const differing = new Set<string>();

  beforeAll(async () => {
    const start = (name: string) => engines.find((engine) => engine.name === name)!.start();
    [local, dynoxide] = await Promise.all([start('local'), start('dynoxide')]);
  });
  afterAll(async () => {
    await local[Symbol.asyncDispose]();
    await dynoxide[Symbol.asyncDispose]();
    console.log(
      `differential: ${equal + differing.size} requests, ${equal} equal, ${differing.size} tolerated differences`,
    );
  });

  it.each(scenarios)('$table.tableName', async ({ table, requests }) => {
    await local.createTable(table);
    await dynoxide.createTable(table);
    const clients = [local, dynoxide].map((engine) => engine.client({ maxAttempts: 1 }));
    const unexpected: object[] = [];
    for (const request of requests) {
      const [here, there] = await Promise.all(clients.map((client) => answerTo(request, client)));
      if (isDeepStrictEqual(here, there)) equal += 1;
      else if (isTolerated(request.title, here!.outcome, there!.outcome)) differing.add(request.title);
      else unexpected.push({ request: request.title, local: here, dynoxide: there });
    }
    expect(unexpected).toEqual([]);
  });

  it('no tolerated difference is out of date', () => {
    expect(Object.keys(tolerated).filter((title) => !differing.has(title))).toEqual([]);
  });

  it('at least 200 requests were judged', () => {
    expect(equal + differing.size).toBeGreaterThanOrEqual(200);
  });
});

it('every request has a title of its own', () => {
  const titles = scenarios.flatMap(({ requests }) => requests.map(({ title }) => title));
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

function isTolerated(title: string, here: string, there: string): boolean {
  const entry = tolerated[title];
  return entry?.local === here && entry.dynoxide === there;
}
