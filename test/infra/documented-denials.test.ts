import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { FencedTable } from '../../infra/constructs/fenced-table.ts';
import { LeaseTable } from '../../infra/constructs/lease-table.ts';
import { root } from '../../scripts/documents.mjs';
import { offlineApp } from './offline-app.ts';

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: { readonly 'Fn::GetAtt': readonly [string, string] };
}

const document = readFileSync(`${root}docs/operations.md`, 'utf8');

/** The JSON behind `<!-- denials -->`. */
const shown = JSON.parse(
  /<!-- denials -->\n+```json\n(?<text>[\s\S]*?)\n```/.exec(document)?.groups?.text ?? '[]',
);

/** The actions that the document says the library needs of a table, in the row of that name. */
const needed = (table: string) => {
  const row = new RegExp(`^\\| ${table} \\| (.*) \\|$`, 'm').exec(document)?.[1] ?? '';
  return [...row.matchAll(/`([A-Z]\w+)`/g)].map(([, action]) => `dynamodb:${action}`);
};

const stack = new Stack(offlineApp(), 'Stack');
const items = new FencedTable(stack, 'Items', { partitionKey: { name: 'id', type: AttributeType.STRING } });
const leases = new LeaseTable(stack, 'Leases');
const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
items.grantFencedWrite(role);
items.grantRead(role);
leases.grantLease(role);

const called = new Map([
  [stack.resolve(items.tableName).Ref, '<ARN of the fenced table>'],
  [stack.resolve(leases.tableName).Ref, '<ARN of the lease table>'],
]);
const policies = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
const statements: Statement[] = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
const made = statements.map((it) => ({
  ...it,
  Resource: called.get(it.Resource['Fn::GetAtt'][0]),
}));

describe('permissions in docs/operations.md', () => {
  it('the denials are those of the constructs', () => {
    expect(shown).toEqual(made.filter(({ Effect }) => Effect === 'Deny'));
    expect(shown).toHaveLength(3);
  });

  it.each(['fenced', 'leases'])(
    'what the library needs of the table %s is allowed by the constructs',
    (table) => {
      const arn = `<ARN of the ${table === 'fenced' ? 'fenced' : 'lease'} table>`;
      const granted = made
        .filter(({ Effect, Resource }) => Effect === 'Allow' && Resource === arn)
        .flatMap(({ Action }) => Action);
      // The operator who raises is somebody else.
      const asked = needed(table).filter((action) => table === 'fenced' || action !== 'dynamodb:Scan');
      expect(asked.length).toBeGreaterThan(2);
      expect(granted).toEqual(expect.arrayContaining(asked));
    },
  );
});
