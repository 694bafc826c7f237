import { Validations } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { FencingChecks } from '../../../infra/policy/fencing-checks.ts';

import { allow, type World, world } from './world.ts';

describe('registered in an app', () => {
  function synthesised(acknowledge: (world: World) => unknown): () => unknown {
    const it = world();
    it.role.addToPolicy(allow('dynamodb:DeleteItem', it.items.tableArn));
    Validations.of(it.app).addPlugins(new FencingChecks());
    acknowledge(it);
    return () => it.app.synth();
  }
  const rule = { id: 'dynamodb-fenced::UnfenceableWrite', reason: 'It empties the table of the tests.' };

  it('it ends the synthesis, and says who, what, where and how to mend it', () => {
    const error = expect.objectContaining({
      message: expect.stringMatching(
        /Data\/Role may dynamodb:DeleteItem on Data\/Items, which takes no condition[\s\S]*grantFencedWrite\(\)[\s\S]*dynamodb-fenced::UnfenceableWrite/,
      ),
    });
    expect(synthesised(() => {})).toThrow(error);
  });

  it.each<[string, (world: World) => unknown]>([
    ['at the role', ({ role }) => Validations.of(role).acknowledge(rule)],
    ['at the app', ({ app }) => Validations.of(app).acknowledge(rule)],
  ])('a rule is acknowledged %s, with a reason', (_, acknowledge) => {
    expect(synthesised(acknowledge)).not.toThrow();
  });

  it.each<[string, (world: World) => unknown]>([
    [
      'another rule',
      ({ role }) => Validations.of(role).acknowledge({ ...rule, id: 'dynamodb-fenced::TokenReset' }),
    ],
    ['another construct', ({ leases }) => Validations.of(leases).acknowledge(rule)],
  ])('but not by the acknowledgement of %s', (_, acknowledge) => {
    expect(synthesised(acknowledge)).toThrow('DeleteItem');
  });
});
