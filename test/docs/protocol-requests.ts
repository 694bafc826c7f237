import { admission } from '../../src/dynamo/admission.ts';
import type { HiddenAttributes } from '../../src/dynamo/attributes.ts';
import { attributeValues } from '../../src/dynamo/input-form.ts';
import { absent, live, liveFilter } from '../../src/dynamo/liveness.ts';
import { type Placeholders, placeholdersBeside } from '../../src/dynamo/placeholders.ts';
import type { FenceKind, Stamp } from '../../src/fence/session.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { claimInput } from '../../src/kernel.ts';
import {
  acquireInput,
  conditionCheck,
  giveUpInput,
  raiseInput,
  releaseInput,
  renewInput,
  takeOverInput,
} from '../../src/lease/sources/dynamo/lease-requests.ts';
import { leaseTable } from '../../src/lease/sources/dynamo/lease-table.ts';

// Names that read well: every placeholder is shown as what it stands for.
const attributes: HiddenAttributes = { fence: 'fence', holder: 'holder', seq: 'seq', version: 'version' };
const values: Readonly<Record<string, string>> = {
  '42': ':fence',
  me: ':holder',
  '7': ':seq',
  '42.7.me': ':version',
  S: ':S',
};

function stamp(kind: FenceKind): Stamp {
  return { kind, resource: 'r', token: fencingToken(42), holder: 'me', seq: 7 };
}

interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, { S?: string; N?: string }> | undefined;
}

function readable(text: string | undefined, names: object, aliases: object): string {
  const known = new Map([
    ...Object.entries(names).map(([alias, name]) => [alias, `#${name}`] as const),
    ...Object.entries(aliases).map(([alias, { S, N }]) => [alias, values[S ?? N] ?? alias] as const),
  ]);
  return (text ?? '').replace(/[#:]\w+/g, (alias) => known.get(alias) ?? alias);
}

function condition(build: (placeholders: Placeholders) => string): string {
  const placeholders = placeholdersBeside({}, attributeValues);
  const text = build(placeholders);
  return readable(text, placeholders.names, placeholders.values);
}

function request(input: object): string {
  const {
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames = {},
    ExpressionAttributeValues = {},
  } = input as Expressions;
  const show = (text: string | undefined) =>
    readable(text, ExpressionAttributeNames, ExpressionAttributeValues);
  const update = UpdateExpression === undefined ? '' : `${show(UpdateExpression)} `;
  return `${update}if ${show(ConditionExpression)}`;
}

const leases = leaseTable({ tableName: 'leases' });
const grant = { resource: 'r', token: 1, holder: 'h' };
const proposal = { resource: 'r', holder: 'h', next: 2, expiresAtMs: 3, data: undefined };
const key = { TableName: 't', Key: { pk: { S: 'a' } } };

/** The requests that docs/design.md shows, as the code builds them: one line each. */
export const protocolRequests: Readonly<Record<string, string>> = {
  'admission of a lease': condition((p) => admission(stamp('lease'), attributes, p)),
  'admission of a bare fence': condition((p) => admission(stamp('bare'), attributes, p)),
  live: condition((p) => live('pk', attributes, p)),
  absent: condition((p) => absent('pk', attributes, p)),
  filter: condition((p) => liveFilter(attributes, p)),
  claim: request(claimInput(key, stamp('lease'), { attributes })),
  adopt: request(claimInput(key, stamp('lease'), { attributes, adopt: true })),
  acquire: request(acquireInput(leases, proposal, 1)),
  renew: request(renewInput(leases, grant, 3)),
  release: request(releaseInput(leases, grant)),
  'give up': request(giveUpInput(leases, 'r', 'h')),
  takeOver: request(takeOverInput(leases, proposal, 1)),
  raise: request(raiseInput(leases, 'r', 2)),
  check: request(conditionCheck(leases, grant)),
};
