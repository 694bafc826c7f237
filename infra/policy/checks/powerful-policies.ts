import type { Statement } from '../iam/statement.ts';

const everything = ['*'];
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

/**
 * The policies of AWS that can be attached and allow writes to any table, or changes of it, and what they allow of DynamoDB. Left out are
 * those that write to tables of certain names (Elastic Beanstalk), and through CloudFormation alone (Amplify). AWS adds to them.
 * https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html
 */
const powerful: Readonly<Record<string, readonly string[]>> = {
  AdministratorAccess: everything,
  PowerUserAccess: everything,
  AmazonDynamoDBFullAccess: everything,
  AmazonDynamoDBFullAccess_v2: everything,
  AmazonDynamoDBFullAccesswithDataPipeline: everything,
  DatabaseAdministrator: everything,
  DataScientist: everything,
  AmazonEC2RoleforDataPipelineRole: everything,
  AmazonElasticMapReduceforEC2Role: everything,
  AWSLambdaFullAccess: everything,
  AWSBackupServiceRolePolicyForRestores: writes,
  AWSIoTRuleActions: ['PutItem'],
  ResourceGroupsTaggingAPITagUntagSupportedResources: ['TagResource', 'UntagResource'],
};

/**
 * What such a policy comes to; undefined for every other one.
 *
 * @param policy its ARN, with any path in it; or its name alone, as SAM takes it.
 */
export function powerfulPolicy(policy: string): readonly Statement[] | undefined {
  const name = /^(?:arn:.*:iam::aws:policy\/(?:.*\/)?)?([\w-]+)$/.exec(policy)?.[1] ?? '';
  const actions = Object.hasOwn(powerful, name) ? powerful[name] : undefined;
  return (
    actions && [
      {
        effect: 'Allow',
        actions: { patterns: actions.map((action) => `dynamodb:${action}`), negated: false },
        resources: { patterns: ['*'], negated: false },
        condition: {},
        certain: true,
        unknownElements: [],
      },
    ]
  );
}
