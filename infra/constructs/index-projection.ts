import { ProjectionType, type SecondaryIndexProps } from 'aws-cdk-lib/aws-dynamodb';
import type { HiddenAttributes } from '../../src/dynamo/attributes.ts';

/**
 * An index that projects the hidden attributes as well. Without them a query of the index could not tell an item that is there
 * from one that was deleted and only remembers its fence. What projects keys alone therefore becomes an index that includes them.
 */
export function projectingFences<I extends SecondaryIndexProps>(index: I, hidden: HiddenAttributes): I {
  if (index.projectionType === undefined || index.projectionType === ProjectionType.ALL) return index;
  return {
    ...index,
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes: [...new Set([...(index.nonKeyAttributes ?? []), ...Object.values(hidden)])],
  };
}
