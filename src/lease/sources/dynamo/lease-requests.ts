import type { AttributeValue, ConditionCheck, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { LeaseTable } from './lease-table.ts';

/*
 * Every request on a lease row, as a value. Each is one conditional UpdateItem: nothing is read first, and
 * nothing is ever deleted, because the row is the counter. All names are aliased: `token`, `resource` and
 * `data` are reserved words.
 */

/** A grant that is proposed. */
export interface Proposal {
  readonly resource: string;
  readonly holder: string;
  readonly next: number;
  readonly expiresAtMs: number;
  readonly data: AttributeValue | undefined;
}

/**
 * Takes the lease if it is free.
 *
 *     the row                                    taken
 *     ─────────────────────────────────────────  ─────────────────────────────────────
 *     absent                                     yes: never leased, or lost
 *     released                                   if its token is smaller than ours
 *     held, the grant is over by our clock       if its token is smaller than ours
 *     held, the grant goes on                    no
 *
 * The smaller token is asked for in each case, also where the row is free: otherwise a copy of an old
 * acquire that arrives late would take a lease again that its holder has already released.
 */
export function acquireInput(table: LeaseTable, proposal: Proposal, nowMs: number): UpdateItemCommandInput {
  return grantInput(
    table,
    proposal,
    'attribute_not_exists(#resource) OR (#token < :next AND (attribute_not_exists(#holder) OR #expiresAtMs <= :now))',
    { ':now': number(nowMs) },
  );
}

/** Takes the lease from whoever holds it with this token. */
export function takeOverInput(table: LeaseTable, proposal: Proposal, from: number): UpdateItemCommandInput {
  return grantInput(table, proposal, '#token = :from AND attribute_exists(#holder) AND #token < :next', {
    ':from': number(from),
  });
}

function grantInput(table: LeaseTable, proposal: Proposal, condition: string, values: Values) {
  const { resource, holder, next, expiresAtMs, data } = proposal;
  const grant = 'SET #token = :next, #holder = :holder, #expiresAtMs = :expiresAtMs';
  return updateInput(table, resource, {
    update: data === undefined ? `${grant} REMOVE #data` : `${grant}, #data = :data`,
    condition,
    values: {
      ':next': number(next),
      ':holder': { S: holder },
      ':expiresAtMs': number(expiresAtMs),
      ...(data === undefined ? {} : { ':data': data }),
      ...values,
    },
  });
}

/** Who a request comes from. */
export interface Grant {
  readonly resource: string;
  readonly token: number;
  readonly holder: string;
}

/**
 * Moves the end of a grant, only ever later: an old renewal that arrives late must not shorten it. Neither
 * token nor holder change, so the same request can be sent again.
 */
export function renewInput(table: LeaseTable, grant: Grant, expiresAtMs: number): UpdateItemCommandInput {
  return updateInput(table, grant.resource, {
    update: 'SET #expiresAtMs = :expiresAtMs',
    condition: '#token = :token AND #holder = :holder AND #expiresAtMs <= :expiresAtMs',
    values: { ...grantValues(grant), ':expiresAtMs': number(expiresAtMs) },
  });
}

const RELEASE = 'REMOVE #holder, #expiresAtMs, #data';

/** Ends a grant. The token stays, so that the next one is larger. */
export function releaseInput(table: LeaseTable, grant: Grant): UpdateItemCommandInput {
  return updateInput(table, grant.resource, {
    update: RELEASE,
    condition: '#token = :token AND #holder = :holder',
    values: grantValues(grant),
  });
}

/**
 * Ends whatever this holder was granted, by a caller who gave up before it heard of it. The holder's nonce
 * belongs to that one call, so it is enough; the token is only asked to be there.
 */
export function giveUpInput(table: LeaseTable, resource: string, holder: string): UpdateItemCommandInput {
  return updateInput(table, resource, {
    update: RELEASE,
    condition: '#holder = :holder AND attribute_exists(#token)',
    values: { ':holder': { S: holder } },
  });
}

/** Raises the counter and ends the grant. The number is absolute, so the same request can be sent again. */
export function raiseInput(table: LeaseTable, resource: string, next: number): UpdateItemCommandInput {
  return updateInput(table, resource, {
    update: `SET #token = :next ${RELEASE}`,
    condition: 'attribute_not_exists(#resource) OR #token < :next',
    values: { ':next': number(next) },
  });
}

/** The grant stands, as a step of a transaction. */
export function conditionCheck(table: LeaseTable, grant: Grant): ConditionCheck {
  const condition = '#token = :token AND #holder = :holder';
  return {
    TableName: table.tableName,
    Key: table.keyOf(grant.resource),
    ConditionExpression: condition,
    ExpressionAttributeNames: namesIn(condition, table, undefined),
    ExpressionAttributeValues: grantValues(grant),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

type Values = Record<string, AttributeValue>;

function updateInput(
  table: LeaseTable,
  resource: string,
  { update, condition, values }: { update: string; condition: string; values: Values },
): UpdateItemCommandInput {
  const key = table.keyOf(resource);
  return {
    TableName: table.tableName,
    Key: key,
    UpdateExpression: update,
    ConditionExpression: condition,
    ExpressionAttributeNames: namesIn(`${update} ${condition}`, table, Object.keys(key)[0]),
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

// DynamoDB refuses a request with a name that none of its expressions uses.
function namesIn(expressions: string, { names }: LeaseTable, keyAttribute: string | undefined) {
  const all: Record<string, string | undefined> = { ...names, resource: keyAttribute };
  const used = [...new Set(expressions.match(/#\w+/g))];
  return Object.fromEntries(used.map((alias) => [alias, all[alias.slice(1)] as string]));
}

function grantValues({ token, holder }: Grant): Values {
  return { ':token': number(token), ':holder': { S: holder } };
}

function number(value: number): AttributeValue {
  return { N: String(value) };
}
