import type { Refusal } from './result.ts';

/** What a refused step of a transaction says of itself, as far as a message needs it. */
interface RefusedStep extends Refusal {
  readonly step: string | number;
  readonly tableName: string;
  readonly key: object;
  readonly token?: number;
  readonly lastToken?: number;
}

/** A refusal in words: the reason, or, of a transaction, each step with its item and its reason. */
export function describeRefusal(refusal: Refusal): string {
  const { refused = [] } = refusal as { readonly refused?: readonly RefusedStep[] };
  if (refused.length === 0) return `The call was refused: ${refusal.reason}.`;
  return `The transaction was refused by ${refused.map(describeStep).join(', and by ')}.`;
}

function describeStep({ step, tableName, key, reason, token, lastToken }: RefusedStep): string {
  const seen = lastToken === undefined ? '' : ` (token ${token}, and the storage has seen ${lastToken})`;
  return `${JSON.stringify(step)}, on ${tableName} ${JSON.stringify(key)}: ${reason}${seen}`;
}
