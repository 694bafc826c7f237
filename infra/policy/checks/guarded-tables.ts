import { defaultAttributes, type HiddenAttributes } from '../../../src/dynamo/attributes.ts';
import { guardOf, roleTag, type TableRole } from '../guard.ts';
import { elementsOf } from '../iam/branches.ts';
import { type Statement, statementsOf, type TextOf } from '../iam/statement.ts';
import { arnOf, nameOf } from './names.ts';
import type { Json, SynthesisedResource, SynthesisedStack } from './synthesised-app.ts';
import type { TextsOf } from './texts.ts';

/** A table with fenced items or with leases, as the template has it. */
export interface GuardedTable {
  readonly role: TableRole;
  readonly attributes: HiddenAttributes;
  readonly keys: readonly string[];
  readonly resource: SynthesisedResource;
  readonly places: readonly TablePlace[];
  /** What makes a replica of it besides, which agrees eventually. */
  readonly replicators: readonly SynthesisedResource[];
}

/** A table in one Region. */
export interface TablePlace {
  readonly arn: string;
  /** The value of the tag that tells its role; undefined where it has none. */
  readonly tag: string | undefined;
  /** Of its resource policy. */
  readonly statements: readonly Statement[];
}

/** The tables that our constructs made, and those that carry our tag. */
export function guardedTables(stacks: readonly SynthesisedStack[], texts: TextsOf): GuardedTable[] {
  const resources = stacks.flatMap((stack) => [...stack.resources.values()]);
  return resources.flatMap((resource) => {
    if (!/^AWS::(DynamoDB::(Global)?Table|Serverless::SimpleTable)$/.test(resource.type)) return [];
    const places = placesOf(resource, texts);
    const text = texts(resource.stack);
    const guard = guardOf(resource.construct);
    const tag = places.find((place) => isRole(place.tag))?.tag;
    const role = guard?.role ?? (isRole(tag) ? tag : undefined);
    if (role === undefined) return [];
    return {
      role,
      attributes: guard?.attributes ?? defaultAttributes,
      keys: keysOf(resource, text),
      resource,
      places,
      replicators: resources.filter((it) => replicates(it, resource, texts)),
    };
  });
}

function keysOf({ type, properties }: SynthesisedResource, text: TextOf): string[] {
  if (type === 'AWS::Serverless::SimpleTable') {
    return [text((properties.PrimaryKey as Json | undefined)?.Name ?? 'id')];
  }
  return elementsOf(properties.KeySchema).map(({ value }) => text((value as Json).AttributeName));
}

/** Whether a resource makes a replica of a table: in another Region for a table of the older kind, or in another account. */
function replicates(by: SynthesisedResource, table: SynthesisedResource, texts: TextsOf): boolean {
  const [text, theirs] = [texts(table.stack), texts(by.stack)];
  const { TableName, GlobalTableSourceArn } = by.properties;
  if (by.type === 'Custom::DynamoDBReplica') return theirs(TableName) === nameOf(table, text);
  return GlobalTableSourceArn !== undefined && theirs(GlobalTableSourceArn) === arnOf(table, text);
}

function isRole(value: string | undefined): value is TableRole {
  return value === 'items' || value === 'leases';
}

function placesOf(resource: SynthesisedResource, texts: TextsOf): TablePlace[] {
  const text = texts(resource.stack);
  // A table of the older kind is in one Region, and has on itself what a replica has otherwise.
  const replicas = elementsOf(resource.properties.Replicas ?? resource.properties);
  return replicas.map(({ value }) => {
    const replica = value as Json;
    const tag = tagsOf(replica)[roleTag];
    const region = replica.Region === undefined ? undefined : text(replica.Region);
    return {
      arn: arnOf(resource, text, region),
      tag: tag === undefined ? undefined : text(tag),
      statements: statementsOf((replica.ResourcePolicy as Json | undefined)?.PolicyDocument, text),
    };
  });
}

/** A list of keys with values; of SAM, an object. */
function tagsOf({ Tags }: Json): Json {
  const listed = elementsOf(Tags).map(({ value }) => value as Json);
  return Object.assign(
    {},
    ...listed.map((it) => (it.Key === undefined ? it : { [String(it.Key)]: it.Value })),
  );
}
