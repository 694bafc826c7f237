import type { Json } from './synthesised-app.ts';

/**
 * What the policy templates of SAM allow, as far as it is of matter here.
 * https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-policy-template-list.html
 */
const actions: Readonly<Record<string, readonly string[]>> = {
  DynamoDBCrudPolicy: ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
  DynamoDBWritePolicy: ['PutItem', 'UpdateItem', 'BatchWriteItem'],
  DynamoDBRestoreFromBackupPolicy: ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
  DynamoDBReconfigurePolicy: ['UpdateTable'],
};

/** The document that SAM makes of a template, as `{ DynamoDBCrudPolicy: { TableName: … } }`; undefined where it is none of these. */
export function samPolicyTemplate(policy: unknown): Json | undefined {
  const [[name, parameters] = ['', undefined]] = Object.entries((policy ?? {}) as Json);
  const allowed = actions[name];
  if (allowed === undefined) return undefined;
  const { TableName } = (parameters ?? {}) as Json;
  const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((it) => ({
    Ref: `AWS::${it}`,
  }));
  return {
    Statement: [
      {
        Effect: 'Allow',
        Action: allowed.map((action) => `dynamodb:${action}`),
        Resource: {
          'Fn::Join': [
            ':',
            ['arn', partition, 'dynamodb', region, account, { 'Fn::Join': ['/', ['table', TableName]] }],
          ],
        },
      },
    ],
  };
}
