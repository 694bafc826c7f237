import { expect, it } from 'vitest';
import { runExample } from './run-example.ts';

it('the local DynamoDB does what its example says', async () => {
  expect(await runExample('examples/testing/local-dynamodb.ts')).toMatchObject({
    code: 0,
    stdout: 'in between: TransactionConflictException\nafterwards: both are through\n',
    stderr: '',
  });
});
