import { describe, it } from 'vitest';
import { dynamoTokenSource } from '../../src/lease/sources/dynamo.ts';
import { memoryTokenSource } from '../../src/lease/sources/memory.ts';
import { tokenSourceConformance } from '../../src/testing/conformance/token-source.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import { describeEachEngine, type EngineUnderTest } from '../engines/describe-each-engine.ts';
import { auditNames } from '../support/wire-audit.ts';

// Of the single-table design below.
auditNames({ holder: ['owner'] });

const offers = ['takeOver', 'inspect', 'raise'] as const;

describe('the memory source', () => {
  const open = async () => {
    const clock = manualClock();
    return { source: memoryTokenSource({ clock }), clock, now: clock.now, advance: clock.advance };
  };
  for (const { title, run } of tokenSourceConformance({ open, offers })) it(title, run);
});

describeEachEngine('the DynamoDB source', (engine) => {
  const open = async () => {
    const clock = manualClock();
    const tableName = await engine.table({ partitionKey: 'resource' });
    const source = dynamoTokenSource({ client: engine.client(), tableName, clock });
    return { source, clock, now: clock.now, advance: clock.advance };
  };
  for (const { title, run } of tokenSourceConformance({ open, offers })) it(title, run);
});

const singleTable = (engine: EngineUnderTest) => {
  const open = async () => {
    const clock = manualClock();
    const tableName = await engine.table({ partitionKey: 'pk', sortKey: { name: 'sk', type: 'N' } });
    const source = dynamoTokenSource({
      client: engine.client(),
      tableName,
      clock,
      key: (resource) => ({ pk: `lease#${resource}`, sk: 0 }),
      names: { holder: 'owner', expiresAtMs: 'until', data: 'name' },
    });
    return { source, clock, now: clock.now, advance: clock.advance };
  };
  for (const { title, run } of tokenSourceConformance({ open, offers })) it(title, run);
};

describeEachEngine('the DynamoDB source in a single-table design', singleTable, { only: ['local'] });
