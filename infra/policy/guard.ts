import { Tags } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { HiddenAttributes } from '../../src/dynamo/attributes.ts';

/** The tag that tells what a table is for. Put it on a table of your own, and checks and boundary hold for it as well. */
export const roleTag = 'dynamodb-fenced:role';

/** What a table is for: it holds fenced items, or the leases whose rows issue tokens. */
export type TableRole = 'items' | 'leases';

/** What the constructs know of a table of theirs, and the template does not say. */
export interface Guard {
  readonly role: TableRole;
  /** Of items: the names that fencing keeps for itself. */
  readonly attributes: HiddenAttributes;
}

// Under a registered symbol, so that two copies of this package in one app know each other's tables.
const mark = Symbol.for('dynamodb-fenced/guard');

/** Notes what a table is for: on the construct that becomes the resource, and by the tag, in every Region. */
export function setGuard(table: IConstruct, guard: Guard): void {
  Object.defineProperty(table.node.defaultChild ?? table, mark, { value: guard });
  Tags.of(table).add(roleTag, guard.role);
}

/** What was noted. */
export function guardOf(table: IConstruct): Guard | undefined {
  return (table as { [mark]?: Guard })[mark];
}
