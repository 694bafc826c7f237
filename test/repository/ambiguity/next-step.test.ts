import { expect, it } from 'vitest';
import { conflict, dropResponse, pause, refuse, reset, throttle } from '../../../src/testing/index.ts';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { account } from '../../support/accounts.ts';
import { granted } from '../../support/fences.ts';
import { scene } from './scene.ts';
import { full, id, withdraw } from './withdraw.ts';

const link = /docs\/results\.md#[a-z-]+ in dynamodb-fenced\)$/;

describeEachEngine('what an error of an outage tells to do', (engine) => {
  it.each([
    ['throttled', throttle(), /GetItem of t-\S+ was turned away by throttling: .*raise the capacity/],
    ['in conflict', conflict(), /was turned away, because another request held the item: .*Call again: /],
    [
      'cut off',
      reset(),
      /was not answered: socket hang up\. Nothing was applied\. Call again, with a longer/,
    ],
    ['without a way', refuse(), /did not get through: .*Check the endpoint, the network and the credentials/],
  ])('a read that is %s', async (_, fault, message) => {
    const { accounts } = await scene(engine, { rules: [{ do: fault }] });
    const failure = await accounts.get(id).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable', applied: 'no', next: 'retry' });
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).toMatch(link);
  });

  it('a write that stood in its queue for the whole time', async () => {
    const gate = pause();
    const { accounts } = await scene(engine, { with: full, rules: [{ on: { nth: 1 }, do: gate }] });
    const lease = granted(account('a'), 42);
    const first = withdraw(accounts, lease);
    await gate.reached;
    const second = withdraw(accounts, lease, { timeoutMs: 1 });
    await expect(second).rejects.toThrow('Call again when they are over, or with a longer timeoutMs.');
    gate.release();
    await first;
  });

  it('a refusal whose reason cannot be read', async () => {
    const { accounts } = await scene(engine, { rules: [{ on: { op: 'GetItem' }, do: refuse() }] });
    await expect(withdraw(accounts, granted(account('a'), 42))).rejects.toMatchObject({
      message: expect.stringContaining('Call again: it is judged anew, on the item as it is then.'),
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('a write whose answers are lost', async () => {
    const { accounts } = await scene(engine, { with: full, rules: [{ do: dropResponse() }] });
    await expect(withdraw(accounts, granted(account('a'), 42))).rejects.toThrow(
      'Call resolve() on this error, or claim the item, before you decide on what you read.',
    );
  });
});
