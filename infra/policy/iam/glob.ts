import type { Truth } from './truth.ts';

// A character, a `*` or a `?`, or a part that is only known when it is deployed, written as `${AWS::Region}`.
const token = /\$\{[^}]*\}|[\s\S]/g;

/**
 * Whether a pattern of IAM matches a text, where parts of either may be unknown: `${AWS::AccountId}`.
 *
 * @returns true where it does whatever they are, false where it cannot, undefined where it depends on them.
 */
export function matches(pattern: string, text: string): Truth {
  const [wanted, given] = [tokensOf(pattern), tokensOf(text)];
  if (reaches(wanted, given, surely)) return true;
  return reaches(wanted, given, possibly) ? undefined : false;
}

function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** Whether one token may stand for a text in which the other is a part, or for none where the other is undefined. */
type Swallows = (one: string, other: string | undefined) => boolean;

interface Rules {
  /** Whether the two are met by each other. */
  readonly meet: (wanted: string, given: string) => boolean;
  readonly wanted: Swallows;
  readonly given: Swallows;
}

const isUnknown = (part: string) => part.startsWith('${');

/** An unknown part is nothing but itself. */
const surely: Rules = {
  meet: (wanted, given) => wanted === given || (wanted === '?' && !isUnknown(given)),
  wanted: (wanted) => wanted === '*',
  given: () => false,
};

/** An unknown part may be anything; but what CloudFormation knows (a Region, an account) is one part of an ARN and not several. */
const mayBeAnything: Swallows = (one, other) =>
  isUnknown(one) && !(one.startsWith('${AWS::') && (other === ':' || other === '/'));

const possibly: Rules = {
  meet: (wanted, given) => wanted === given || wanted === '?',
  wanted: (wanted, given) => wanted === '*' || mayBeAnything(wanted, given),
  given: mayBeAnything,
};

/** Whether there is a way through both, token by token. */
function reaches(wanted: readonly string[], given: readonly string[], rules: Rules): boolean {
  const visited = new Set<number>();
  const visit = (i: number, j: number): boolean => {
    if (i === wanted.length && j === given.length) return true;
    const place = i * (given.length + 1) + j;
    if (visited.has(place)) return false;
    visited.add(place);
    const [w, g] = [wanted[i], given[j]];
    const met = w !== undefined && g !== undefined && rules.meet(w, g);
    // Either may stand for nothing and be passed, or go on to stand for the other one as well.
    const passed = w !== undefined && (rules.wanted(w, undefined) || (g !== undefined && rules.given(g, w)));
    const longer = g !== undefined && (rules.given(g, undefined) || (w !== undefined && rules.wanted(w, g)));
    return (met && visit(i + 1, j + 1)) || (passed && visit(i + 1, j)) || (longer && visit(i, j + 1));
  };
  return visit(0, 0);
}
