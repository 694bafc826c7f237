// Breaks every rule of FencingChecks once. What each line ends with is what has to be found there.
import { App, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, type CfnGlobalTable, MultiRegionConsistency } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { FencedTable, FencingChecks, LeaseTable } from '../../../infra/index.ts';

const app = new App({ analyticsReporting: false });
Validations.of(app).addPlugins(new FencingChecks());
const stack = new Stack(app, 'Bad', { env: { account: '111122223333', region: 'us-east-1' } });
const table = { partitionKey: { name: 'id', type: AttributeType.STRING } };
const strong = {
  replicas: [{ region: 'us-east-2' }, { region: 'us-west-2' }],
  multiRegionConsistency: MultiRegionConsistency.STRONG,
};
const index = { indexName: 'i', keySchema: [{ attributeName: 'id', keyType: 'HASH' }] };
const all = { projection: { projectionType: 'ALL' } };
const keysOnly = { projection: { projectionType: 'KEYS_ONLY' } };
const l1 = (of: IConstruct) => of.node.defaultChild?.node.defaultChild as CfnGlobalTable;
const role = (id: string) => new Role(stack, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
const [deletes, puts, resets, expires, drops] = ['Deletes', 'Puts', 'Resets', 'Expires', 'Drops'].map(
  role,
) as [Role, Role, Role, Role, Role];
const allow = (action: string, arn: string) =>
  new PolicyStatement({ actions: [`dynamodb:${action}`], resources: [arn] });

const items = new FencedTable(stack, 'Items', table);
const leases = new LeaseTable(stack, 'Leases');
deletes.addToPolicy(allow('DeleteItem', items.tableArn)); // UnfenceableWrite
puts.addToPolicy(allow('PutItem', items.tableArn)); // UnconditionalWrite
resets.addToPolicy(allow('PutItem', leases.tableArn)); // TokenReset
expires.addToPolicy(allow('UpdateTimeToLive', items.tableArn)); // ExpiryChange
drops.addToPolicy(allow('DeleteTable', items.tableArn)); // GuardChange

l1(new FencedTable(stack, 'Ttl', table)).timeToLiveSpecification = { attributeName: 'ttl', enabled: true }; // TimeToLive
l1(new FencedTable(stack, 'Replica', table)).addPropertyOverride('Replicas.1', { Region: 'us-east-2' }); // EventualReplica
l1(new FencedTable(stack, 'Local', { ...table, ...strong })).localSecondaryIndexes = [{ ...index, ...all }]; // StrongWithLocalIndex
l1(new FencedTable(stack, 'Index', table)).globalSecondaryIndexes = [{ ...index, ...keysOnly }]; // IndexWithoutFence
