import type { Statement } from '../iam/statement.ts';

/**
 * The policies of AWS that allow every action of DynamoDB on every table, and what is often attached by mistake.
 * https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html
 */
const names = [
  'AdministratorAccess',
  'PowerUserAccess',
  'AmazonDynamoDBFullAccess',
  'AmazonDynamoDBFullAccess_v2',
  'AmazonDynamoDBFullAccesswithDataPipeline',
  'job-function/DatabaseAdministrator',
  'job-function/DataScientist',
];

const everything: Statement = {
  effect: 'Allow',
  actions: { patterns: ['dynamodb:*'], negated: false },
  resources: { patterns: ['*'], negated: false },
  condition: {},
  certain: true,
  unknownElements: [],
};

/** What such a policy comes to; undefined for every other ARN. */
export function powerfulPolicy(arn: string): readonly Statement[] | undefined {
  const name = /:iam::aws:policy\/(.*)$/.exec(arn)?.[1];
  return name !== undefined && names.includes(name) ? [everything] : undefined;
}
