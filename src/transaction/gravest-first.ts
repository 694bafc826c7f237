import type { PartRefusal } from './part.ts';

// The fence before the content: whoever is fenced has no business with the rest.
const order = ['fenced', 'token-reused', 'superseded', 'lost', 'not-found', 'exists', 'version', 'condition'];

/** Refusals that no later copy of the transaction can escape, whatever becomes of the items. */
const forGood: ReadonlySet<string> = new Set(['fenced', 'token-reused', 'superseded', 'lost']);

export function isForGood(refusals: readonly PartRefusal[]): boolean {
  return refusals.some(({ reason }) => forGood.has(reason));
}

/** The refusal of a whole transaction: the gravest of its steps' refusals, and all of them in the order of the steps. */
export function refusedWith(refused: readonly PartRefusal[]): PartRefusal & {
  readonly refused: readonly PartRefusal[];
} {
  const rank = ({ reason }: PartRefusal) => (order.includes(reason) ? order.indexOf(reason) : order.length);
  const [gravest] = [...refused].sort((one, other) => rank(one) - rank(other));
  if (gravest === undefined) throw new Error('a refused transaction has a refused step');
  return { ...gravest, refused };
}
