import type { FaultRule, WireRequest } from '../../src/testing/index.ts';

/** What has passed the wire, as far as mishaps are judged by it. */
export interface Traffic {
  /** Looks at every request, and lets it pass. */
  readonly rule: FaultRule;
  /** How many copies there were of a transaction. */
  copies(transaction: WireRequest): number;
  /** How often the lease that a request is about was asked for by the same holder. */
  asked(grant: WireRequest): number;
  /** How often that holder prolonged it. */
  renewed(grant: WireRequest): number;
}

export function traffic(): Traffic {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.get(what) ?? 0;
  return {
    rule: {
      on: {
        where(request) {
          const what = nameOf(request);
          if (what !== undefined) counts.set(what, count(what) + 1);
          return false;
        },
      },
      do: { name: 'watched', inject: ({ deliver }) => deliver() },
    },
    copies: (transaction) => count(nameOf(transaction) ?? ''),
    asked: (grant) => count(`asked ${leaseOf(grant)}`),
    renewed: (grant) => count(`renewed ${leaseOf(grant)}`),
  };
}

function nameOf(request: WireRequest): string | undefined {
  const { op, input } = request;
  if (op === 'TransactWriteItems') return `transaction ${input.ClientRequestToken}`;
  const values = input.ExpressionAttributeValues ?? {};
  if (op !== 'UpdateItem' || values[':holder'] === undefined) return undefined;
  if (':next' in values) return `asked ${leaseOf(request)}`;
  // A release gives no new end.
  return ':expiresAtMs' in values ? `renewed ${leaseOf(request)}` : undefined;
}

function leaseOf({ input }: WireRequest): string {
  return `${input.Key.resource?.S} by ${input.ExpressionAttributeValues[':holder'].S}`;
}
