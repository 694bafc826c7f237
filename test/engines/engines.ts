import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import { type SdkRequestHandler, startLocalDynamoDB, type TableDefinition } from '../../src/testing/index.ts';
import { createTableInput } from '../../src/testing/table-definition.ts';
import { isDynoxideInstalled, startDynoxide } from './dynoxide.ts';

/** What a suite may do with an engine, whichever it is. */
export interface RunningEngine extends AsyncDisposable {
  /** For clients in other processes. */
  readonly endpoint: string;
  /** The `requestHandler` of a plain client: what faults wrap. */
  readonly handler: SdkRequestHandler;
  /** A client with dummy credentials. `options` go over the defaults, `requestHandler` included. */
  client(options?: DynamoDBClientConfig): DynamoDBClient;
  /** Creates a table that is active when the promise resolves. */
  createTable(table: TableDefinition | CreateTableCommandInput): Promise<void>;
}

/**
 * - `local`: the local DynamoDB of `./testing`.
 * - `local-without-items`: the same without `ReturnValuesOnConditionCheckFailure`, as older engines are.
 * - `dynoxide`: an engine that nobody here wrote.
 */
export type EngineName = 'local' | 'local-without-items' | 'dynoxide';

export interface Engine {
  readonly name: EngineName;
  /** Whether a failed condition shows the item, where the request asks for it. */
  readonly returnsItems: boolean;
  start(): Promise<RunningEngine>;
}

const knownEngines: readonly (Engine & { readonly isInstalled: boolean })[] = [
  { name: 'local', returnsItems: true, isInstalled: true, start: () => local(true) },
  { name: 'local-without-items', returnsItems: false, isInstalled: true, start: () => local(false) },
  { name: 'dynoxide', returnsItems: true, isInstalled: isDynoxideInstalled, start: dynoxide },
];

/** The engines to run on: all, or those that `TEST_ENGINES` names, with commas between them. */
export const allEngines = chosen(process.env.TEST_ENGINES);

/** Those of them that can be started on this machine. */
export const engines: readonly Engine[] = allEngines.filter(({ isInstalled }) => isInstalled);

function chosen(names: string | undefined): typeof knownEngines {
  if (names === undefined || names === '') return knownEngines;
  return names.split(',').map((name) => {
    const engine = knownEngines.find((known) => known.name === name);
    if (engine === undefined) throw new Error(`TEST_ENGINES: there is no engine «${name}»`);
    return engine;
  });
}

// It answers without a socket; the port is for other processes.
const local = (returnItems: boolean) => startLocalDynamoDB({ returnItems, port: 0 });

async function dynoxide(): Promise<RunningEngine> {
  const { endpoint, stop } = await startDynoxide();
  const clients = new Set<DynamoDBClient>();
  const client = (options: DynamoDBClientConfig = {}) => {
    const made = new DynamoDBClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      ...options,
    });
    clients.add(made);
    return made;
  };
  const own = client();
  return {
    endpoint,
    handler: own.config.requestHandler as SdkRequestHandler,
    client,
    // Its tables are active at once.
    createTable: async (table) => void (await own.send(new CreateTableCommand(createTableInput(table)))),
    async [Symbol.asyncDispose]() {
      for (const made of clients) made.destroy();
      await stop();
    },
  };
}
