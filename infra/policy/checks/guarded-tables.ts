import { defaultAttributes, type HiddenAttributes } from '../../../src/dynamo/attributes.ts';
import { guardOf, roleTag, type TableRole } from '../guard.ts';
import { elementsOf } from '../iam/branches.ts';
import { type Statement, statementsOf } from '../iam/statement.ts';
import { arnOf } from './names.ts';
import type { Json, SynthesisedResource, SynthesisedStack } from './synthesised-app.ts';
import type { TextsOf } from './texts.ts';

/** A table with fenced items or with leases, as the template has it. */
export interface GuardedTable {
  readonly role: TableRole;
  readonly attributes: HiddenAttributes;
  readonly keys: readonly string[];
  readonly resource: SynthesisedResource;
  readonly places: readonly TablePlace[];
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
  return stacks.flatMap((stack) =>
    [...stack.resources.values()].flatMap((resource) => {
      if (!/^AWS::DynamoDB::(Global)?Table$/.test(resource.type)) return [];
      const places = placesOf(resource, texts);
      const text = texts(resource.stack);
      const guard = guardOf(resource.construct);
      const tag = places.find((place) => isRole(place.tag))?.tag;
      const role = guard?.role ?? (isRole(tag) ? tag : undefined);
      if (role === undefined) return [];
      const keys = elementsOf(resource.properties.KeySchema).map(({ value }) => value as Json);
      return {
        role,
        attributes: guard?.attributes ?? defaultAttributes,
        keys: keys.map((key) => text(key.AttributeName)),
        resource,
        places,
      };
    }),
  );
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
    const tags = elementsOf(replica.Tags).map((it) => it.value as Json);
    const tag = tags.find(({ Key }) => Key === roleTag)?.Value;
    const region = replica.Region === undefined ? undefined : text(replica.Region);
    return {
      arn: arnOf(resource, text, region),
      tag: tag === undefined ? undefined : text(tag),
      statements: statementsOf((replica.ResourcePolicy as Json | undefined)?.PolicyDocument, text),
    };
  });
}
