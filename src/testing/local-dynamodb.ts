/// <reference lib="esnext.disposable" preserve="true" />
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../fence/clock.ts';
import type { BeforeCommit } from './local/context.ts';
import { openEngine } from './local/engine.ts';
import { type HttpServer, serveHttp } from './local/http-server.ts';
import { socketlessHandler } from './local/socketless-handler.ts';
import type { SdkRequestHandler } from './request-handler.ts';
import { createTableInput, type TableDefinition } from './table-definition.ts';

/** How a local DynamoDB is started. Everything has a default. */
export interface LocalDynamoDBOptions {
  /** The folder that keeps the data, created if need be; one process at a time. Default: in memory. */
  readonly path?: string;
  /** Listens from the start: a port, or 0 for a free one. Default: no socket until `listen()`. */
  readonly port?: number;
  /** The address to listen on. Default 127.0.0.1: nobody outside this machine. */
  readonly host?: string;
  /**
   * Whether a failed condition shows the item where the request asks for it with
   * `ReturnValuesOnConditionCheckFailure`. `false` behaves like plain dynalite and other engines that do not
   * know the parameter. Default true.
   */
  readonly returnItems?: boolean;
  /**
   * What happens to who meets a transaction that is under way on the same item. `queue`: it waits. `reject`:
   * as on AWS, a single write gets `TransactionConflictException`, a transaction is cancelled with
   * `TransactionConflict` for that action, GetItem and queries go through. Default `queue`, since an
   * in-process transaction is over in a moment; together with `beforeCommit` a conflict can be had on demand.
   */
  readonly conflicts?: 'queue' | 'reject';
  /**
   * Whose time counts for the 10 minutes that a ClientRequestToken is remembered. Default: this machine's.
   */
  readonly clock?: Pick<Clock, 'now'>;
  /** Called, and waited for, between the check of a write and its commit, while its items are locked. */
  readonly beforeCommit?: BeforeCommit;
}

/** A running local DynamoDB. */
export interface LocalDynamoDB extends AsyncDisposable {
  /** The SDK `requestHandler` that answers without a socket, to wrap or to give to any AWS SDK client. */
  readonly handler: SdkRequestHandler;
  /** The URL that it listens on. @throws before `listen()`, or a start with `port`. */
  readonly endpoint: string;
  /**
   * A client for it: dummy credentials, region us-east-1, no socket.
   *
   * @param options go over the defaults. With an `endpoint` of your own the SDK's usual handler is used.
   */
  client(options?: DynamoDBClientConfig): DynamoDBClient;
  /**
   * Creates a table that is active when the promise resolves.
   *
   * @param table a definition in short, or the input of a CreateTableCommand.
   */
  createTable(table: TableDefinition | CreateTableCommandInput): Promise<void>;
  /**
   * Listens for HTTP. A second call gives the same URL.
   *
   * @param port default 0, a free one.
   * @returns the URL, for `endpoint` in the options of a client in any process.
   * @throws where it cannot listen there; then it may be called again with another port.
   */
  listen(port?: number): Promise<string>;
  /** Ends connections and clients, lets running requests finish, closes the store. May be called again. */
  close(): Promise<void>;
}

let started = 0;

/**
 * Starts a DynamoDB in this process: dynalite's storage and expressions, and what it lacks. Ready in
 * milliseconds. Needs the package dynalite, an optional peer dependency.
 *
 * @returns the running database; leaving its `await using` scope closes it.
 * @throws where dynalite is missing or another version, the host and port cannot be listened on, or the folder
 * cannot be made, is in use or holds something else: the message says which, the cause is the system's error.
 * @example
 * await using db = await startLocalDynamoDB();
 * await db.createTable({ tableName: 'accounts', partitionKey: 'id' });
 * const client = db.client();
 */
export async function startLocalDynamoDB(options: LocalDynamoDBOptions = {}): Promise<LocalDynamoDB> {
  const { path, port, host = '127.0.0.1', returnItems = true, conflicts = 'queue', clock = Date } = options;
  const engine = await openEngine({
    path,
    returnItems,
    conflicts,
    now: () => clock.now(),
    beforeCommit: options.beforeCommit,
  });
  const handler = socketlessHandler(engine);
  const clients = new Set<DynamoDBClient>();
  let own: DynamoDBClient | undefined;
  let server: Promise<HttpServer> | undefined;
  let endpoint: string | undefined;
  let closed: Promise<void> | undefined;

  // A name that no resolver knows (RFC 2606), of its own for each database: a request that loses its handler
  // fails here instead of reaching AWS, and two databases in one process are never taken for one another.
  started += 1;
  const nowhere = `http://local-${started}.dynamodb.invalid`;

  const listen = async (wanted = 0) => {
    const listening = server ?? serveHttp(engine, { host, port: wanted });
    server = listening;
    try {
      endpoint = (await listening).endpoint;
    } catch (error) {
      // There is nothing to close, and another port may do.
      if (server === listening) server = undefined;
      throw error;
    }
    return endpoint;
  };

  const close = async () => {
    for (const client of clients) client.destroy();
    await engine.close();
    await (await server?.catch(() => undefined))?.close();
  };

  const db: LocalDynamoDB = {
    handler,
    get endpoint() {
      if (endpoint !== undefined) return endpoint;
      throw new Error('This database has no socket. Start it with { port }, or call listen() first.');
    },
    client(config = {}) {
      const wire = config.endpoint === undefined ? { endpoint: nowhere, requestHandler: handler } : {};
      const client = new DynamoDBClient({
        region: 'us-east-1',
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        ...wire,
        ...config,
      });
      clients.add(client);
      return client;
    },
    async createTable(table) {
      own ??= db.client();
      await own.send(new CreateTableCommand(createTableInput(table)));
    },
    listen,
    close() {
      closed ??= close();
      return closed;
    },
    [Symbol.asyncDispose]: () => db.close(),
  };

  if (port !== undefined) {
    try {
      await listen(port);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }
  return db;
}
