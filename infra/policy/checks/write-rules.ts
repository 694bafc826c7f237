import { expiryChanges, fencedWrites, guardChanges, unfenceableWrites } from '../fenced-actions.ts';
import { roleTag } from '../guard.ts';
import { allowed, applies, type IamRequest, type Policies } from '../iam/evaluate.ts';
import type { PlacedStatement } from './attachments.ts';
import type { GuardedTable, TablePlace } from './guarded-tables.ts';
import type { Principal } from './principals.ts';
import type { SynthesisedResource } from './synthesised-app.ts';

export type WriteRule =
  | 'UnfenceableWrite'
  | 'UnconditionalWrite'
  | 'TokenReset'
  | 'ExpiryChange'
  | 'GuardChange';

/** Somebody who may write around the fence, and the statement that lets them. */
export interface Loophole {
  readonly rule: WriteRule;
  readonly who: string;
  readonly action: string;
  readonly table: GuardedTable;
  readonly source: SynthesisedResource;
  readonly location: string;
  /** False where it depends on what is known only when it is deployed. */
  readonly certain: boolean;
}

/** How the accounts are that it is deployed to. */
export interface Accounts {
  /** Whether conditions on the tags of tables are evaluated there. Where they may not be, what they come to cannot be told. */
  readonly abac: boolean;
}

/** All ways around the fence that are open to whoever has a policy in the app, or is named by a resource policy. */
export function loopholes(
  tables: readonly GuardedTable[],
  principals: readonly Principal[],
  accounts: Accounts,
): Loophole[] {
  return tables.flatMap((table) =>
    table.places.flatMap((place) => {
      const ofTable: readonly PlacedStatement[] = place.statements.map((it) => ({
        ...it,
        source: table.resource,
        location: 'Properties.Replicas',
      }));
      const outsiders: Principal = { label: 'whoever its resource policy names', account: '', identity: [] };
      return [...principals, outsiders].flatMap((who) => {
        const resource = who === outsiders ? ofTable.filter((it) => !namesOnly(it, principals)) : ofTable;
        return open(table, place, who, resource, accounts);
      });
    }),
  );
}

/** Whether a statement is about roles and users of this app alone, who are looked at with all that they have. */
function namesOnly(
  { effect, principals: named }: PlacedStatement,
  principals: readonly Principal[],
): boolean {
  if (effect === 'Deny' || named === undefined || named.negated) return false;
  return named.patterns.every((pattern) => principals.some(({ arn }) => arn === pattern));
}

function open(
  table: GuardedTable,
  place: TablePlace,
  who: Principal,
  resource: readonly PlacedStatement[],
  accounts: Accounts,
): Loophole[] {
  const statements = [...who.identity, ...resource];
  // Another account's table is out of reach of all that only the role's own account allows.
  const elsewhere =
    [who.account, accountOf(place.arn)].every((it) => /^\d+$/.test(it)) &&
    who.account !== accountOf(place.arn);
  const policies: Policies = {
    identity: elsewhere ? who.identity.filter(({ effect }) => effect === 'Deny') : who.identity,
    resource,
    ...(who.boundary && { boundary: who.boundary }),
  };
  const asked = requests(table, place, statements, who.arn, accounts).filter(
    // What CloudFormation makes of a table stands in its template, and is looked at there.
    ({ rule }) => !(who.onlyDeploys && (rule === 'ExpiryChange' || rule === 'GuardChange')),
  );
  return asked.flatMap(({ rule, request }) => {
    const verdict = allowed(policies, request);
    if (verdict === false) return [];
    return [...policies.identity, ...resource]
      .filter(
        (it): it is PlacedStatement =>
          it.effect === 'Allow' && applies(it as PlacedStatement, request) !== false,
      )
      .map(({ source, location }) => ({
        ...{ rule, who: who.label, action: request.action, table, source, location },
        certain: verdict === true,
      }));
  });
}

/** What nobody may send, each in the variants by which a condition on its attributes could tell it apart. */
function requests(
  { role, keys, attributes }: GuardedTable,
  { arn, tag }: TablePlace,
  statements: readonly PlacedStatement[],
  principal: string | undefined,
  { abac }: Accounts,
): { rule: WriteRule; request: IamRequest }[] {
  const hidden = Object.values(attributes);
  const mentioned = [...new Set(statements.flatMap(attributesIn))].filter(
    (name) => name !== attributes.fence,
  );
  const unfenced = [keys, ...mentioned.map((name) => [...keys, name]), [...keys, ...mentioned]];
  const variants = (rule: WriteRule, actions: readonly string[], names: readonly (readonly string[])[]) =>
    actions.flatMap((action) =>
      names.map((named) => ({
        rule,
        request: {
          ...{ action, resource: arn },
          ...(principal !== undefined && { principal }),
          keys: {
            'dynamodb:attributes': named,
            ...(abac && { [`aws:resourcetag/${roleTag}`]: tag === undefined ? [] : [tag] }),
            // A condition may spare this one tag.
            'aws:tagkeys': /:(Unt|T)agResource$/.test(action) ? [roleTag] : [],
          },
        },
      })),
    );
  const changes = [
    ...variants('ExpiryChange', expiryChanges, [[]]),
    ...variants('GuardChange', guardChanges, [[]]),
  ];
  // Whether they name the fence or not: with some there is no condition, and the others take it away.
  const any = [...unfenced, [...keys, ...hidden, ...mentioned]];
  if (role === 'leases') {
    return [...changes, ...variants('TokenReset', ['dynamodb:PutItem', ...unfenceableWrites], any)];
  }
  return [
    ...changes,
    ...variants('UnfenceableWrite', unfenceableWrites, any),
    ...variants('UnconditionalWrite', fencedWrites, unfenced),
  ];
}

/** The attributes that a condition speaks of, patterns as the shortest name that they match. */
function attributesIn({ condition }: PlacedStatement): string[] {
  return Object.values(condition).flatMap((keys) =>
    Object.entries(keys)
      .filter(([key]) => key.toLowerCase() === 'dynamodb:attributes')
      .flatMap(([, names]) => names.map((name) => name.replaceAll('*', '').replaceAll('?', 'x'))),
  );
}

function accountOf(arn: string): string {
  return /^arn:[^:]*:dynamodb:[^:]*:(\d+):/.exec(arn)?.[1] ?? '';
}
