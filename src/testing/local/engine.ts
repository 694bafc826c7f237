import { ApiError, type ErrorBody, isApiError } from './api-error.ts';
import type { BeforeCommit, EngineContext } from './context.ts';
import { cannotKeep, makeFolder } from './data-folder.ts';
import { type Input, loadDynalite, type Output } from './dynalite.ts';
import { ItemLocks } from './item-locks.ts';
import { operations } from './operations.ts';
import { RequestTokens } from './request-tokens.ts';

export interface EngineOptions {
  readonly path: string | undefined;
  readonly returnItems: boolean;
  readonly conflicts: 'queue' | 'reject';
  readonly now: () => number;
  readonly beforeCommit: BeforeCommit | undefined;
}

/** One answer of the API. */
export interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

export interface Engine {
  /**
   * Answers one request. It never rejects: a defect of the engine is a 500, as it is on AWS.
   *
   * @param target the header `x-amz-target`: `DynamoDB_20120810.PutItem`.
   * @param body the JSON text.
   */
  answer(target: string | undefined, body: string): Promise<Answer>;
  /** Whether `close()` was called: from then on it answers nothing. */
  readonly closed: boolean;
  /** Lets running requests end, then closes the store. */
  close(): Promise<void>;
}

/** Opens the store and puts our dispatcher in front of dynalite's actions. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const dynalite = loadDynalite();
  if (options.path !== undefined) await makeFolder(options.path);
  const store = dynalite.db.create({
    ...(options.path === undefined ? {} : { path: options.path }),
    createTableMs: 0,
    updateTableMs: 0,
    deleteTableMs: 0,
  });
  try {
    // dynalite opens on first use, and a folder that is in use would end the process there.
    await store.db.open();
  } catch (error) {
    throw options.path === undefined ? error : cannotKeep(options.path, error);
  }

  const running = new Set<Promise<unknown>>();
  let announceClosing: (reason: Error) => void = () => {};
  const closing = new Promise<never>((_resolve, reject) => {
    announceClosing = reject;
  });
  closing.catch(() => {});
  let closed: Promise<void> | undefined;

  const context: EngineContext = {
    dynalite,
    store,
    locks: new ItemLocks(store),
    tokens: new RequestTokens(store, options.now),
    returnItems: options.returnItems,
    conflicts: options.conflicts,
    async beforeCommit(write) {
      if (options.beforeCommit !== undefined) await Promise.race([options.beforeCommit(write), closing]);
    },
  };

  return {
    get closed() {
      return closed !== undefined;
    },
    async answer(target, body) {
      if (closed !== undefined) return toAnswer(500, internalError('The local DynamoDB is closed.'));
      const answer = respond(context, target, body);
      running.add(answer);
      try {
        return await answer;
      } finally {
        running.delete(answer);
      }
    },
    close() {
      closed ??= (async () => {
        announceClosing(new Error('The local DynamoDB was closed during this request.'));
        await Promise.allSettled(running);
        await new Promise<void>((resolve, reject) => {
          store.db.close((error) => (error ? reject(error) : resolve()));
        });
      })();
      return closed;
    },
  };
}

async function respond(context: EngineContext, target: string | undefined, body: string): Promise<Answer> {
  try {
    return toAnswer(200, await dispatch(context, target, body));
  } catch (error) {
    if (isApiError(error)) return toAnswer(error.statusCode, error.body);
    return toAnswer(500, internalError(error instanceof Error ? error.message : String(error)));
  }
}

function dispatch(context: EngineContext, target: string | undefined, body: string): Promise<Output> {
  const name = /^DynamoDB_20120810\.(\w+)$/.exec(target ?? '')?.[1] ?? '';
  const operation = operations.get(name);
  if (operation === undefined) throw serviceError('UnknownOperationException');
  return operation(context, parse(body));
}

function parse(body: string): Input {
  try {
    const input: unknown = JSON.parse(body);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Input;
  } catch {
    // Falls through: not JSON is refused as any other wrong text.
  }
  throw serviceError('SerializationException');
}

function serviceError(name: string): ApiError {
  return new ApiError({ __type: `com.amazon.coral.service#${name}` });
}

function internalError(message: string): ErrorBody {
  return { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message };
}

function toAnswer(statusCode: number, body: Output | ErrorBody): Answer {
  return { statusCode, body: JSON.stringify(body) };
}
