import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Request } from './request.ts';

/** What an engine made of a request: `ok`, or the error's name, and everything else that a caller could use. */
export interface Answer {
  readonly outcome: string;
  readonly content: unknown;
}

/** Sends a request and brings the answer into a form that two engines can be compared by. */
export async function answerTo(request: Request, client: DynamoDBClient): Promise<Answer> {
  try {
    const { $metadata, ...output } = (await request.send(client)) as { $metadata?: unknown };
    return { outcome: 'ok', content: comparable(output) };
  } catch (error) {
    const { name, Item, CancellationReasons } = error as {
      name: string;
      Item?: unknown;
      CancellationReasons?: { Code?: string; Item?: unknown }[];
    };
    // The wording differs between engines: nothing may depend on it.
    const reasons = CancellationReasons?.map(({ Code, Item }) => ({ Code, Item }));
    return { outcome: name, content: comparable({ Item, reasons }) };
  }
}

/** Sets have no order, and neither has a scan. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => [
      name,
      isSet(name, member) ? [...(comparable(member) as [])].sort() : comparable(member),
    ]);
  return Object.fromEntries(entries);
}

const isSet = (name: string, member: unknown) => ['SS', 'NS', 'BS'].includes(name) && Array.isArray(member);
