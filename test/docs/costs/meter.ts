import type { AttributeValue, ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** One request, and what the engine said that it consumed. */
export interface Spent {
  readonly op: string;
  readonly kind: 'read' | 'write';
  readonly units: number;
  /** Whether it was refused: then nobody tells the units, and they are those that AWS documents. */
  readonly byRule: boolean;
}

/** The requests of some work, in the order in which they were answered. */
export type Cost = readonly Spent[];

/** A client whose requests are counted, with their units. */
export interface Meter {
  readonly client: DynamoDBClient;
  /** What the work cost. One at a time. */
  costOf(work: () => Promise<unknown>): Promise<Cost>;
}

/** A write that was refused, as far as its price depends on it. */
export interface RefusedWrite {
  readonly TableName: string;
  readonly Key: Record<string, AttributeValue>;
}

interface Output {
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[];
}

const reads = /^(Get|BatchGet|TransactGet|Query|Scan)/;

/**
 * Has a client ask what each of its requests consumes. The library does not ask, except for transactions.
 *
 * @param priceOf how many write units a refused write consumes: the error does not say, here as on AWS.
 */
export function meter(client: DynamoDBClient, priceOf: (write: RefusedWrite) => Promise<number>): Meter {
  let spent: Spent[] = [];
  const count = (op: string, units: number, byRule: boolean) =>
    spent.push({ op, kind: reads.test(op) ? 'read' : 'write', units, byRule });
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const op = String(context.commandName).replace(/Command$/, '');
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' } as typeof args.input;
      try {
        const result = await next({ ...args, input });
        count(op, unitsOf(op, result.output as Output), false);
        return result;
      } catch (error) {
        if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
        count(op, await priceOf(input as unknown as RefusedWrite), true);
        throw error;
      }
    },
    { name: 'meter', step: 'initialize' },
  );
  return {
    client,
    async costOf(work) {
      spent = [];
      await work();
      return [...spent];
    },
  };
}

function unitsOf(op: string, { ConsumedCapacity }: Output): number {
  if (ConsumedCapacity === undefined) throw new Error(`the engine does not say what ${op} consumed`);
  const tables = Array.isArray(ConsumedCapacity) ? ConsumedCapacity : [ConsumedCapacity];
  return tables.reduce((units, { CapacityUnits = Number.NaN }) => units + CapacityUnits, 0);
}

/** The units of one kind that some work consumed. */
export function unitsIn(cost: Cost, kind: Spent['kind']): number {
  return cost.filter((spent) => spent.kind === kind).reduce((sum, { units }) => sum + units, 0);
}
