import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { addAbortSignal } from 'node:stream';
import type { Clock } from '../../../fence/clock.ts';
import { within } from '../../../fence/within.ts';
import { changedNothing, EtcdError, isNoLeader, refusalOf } from './etcd-error.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { type Authorization, type Proof, proven } from './proof.ts';
import { neverLeft, send, textOf } from './send.ts';

/** How members are reached. */
export interface GatewayOptions {
  readonly endpoints: readonly URL[];
  readonly authorization: Authorization | undefined;
  readonly tls: AgentOptions | undefined;
  readonly clock: Clock;
}

/** What a request may do. */
export interface CallOptions {
  /** Whether it may be sent to another member although one may have heard of it already. */
  readonly repeatable: boolean;
}

/** How long a member may say nothing where there are others, in ms. */
const PATIENCE_MS = 3_000;

/** The JSON gateway that every member of a cluster serves beside gRPC. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #agents: readonly [HttpAgent, HttpsAgent];
  /** Which member is asked; the next one after one that was in trouble. */
  #turn = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#agents = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ ...options.tls, keepAlive: true })];
  }

  /**
   * Asks for something: of another member as well where the one before has changed nothing, or what is repeatable.
   *
   * @throws EtcdError where etcd refuses, the signal's reason, and what the network does.
   */
  call(
    path: string,
    body: JsonObject,
    signal: AbortSignal,
    { repeatable }: CallOptions,
  ): Promise<JsonObject> {
    return proven(this.#options.authorization, signal, (headers) =>
      this.#askMembers(signal, repeatable, async (endpoint, patience) => {
        const response = await this.#open(endpoint, path, body, headers, patience, true);
        const answer = asJson(await textOf(response));
        if (!isJsonObject(answer)) throw new EtcdError('etcd answered with something that is no JSON object');
        if ('error' in answer) throw refusalOf(response.statusCode, answer);
        return answer;
      }),
    );
  }

  /** Listens. The stream keeps no process alive. */
  async *stream(path: string, body: JsonObject, signal: AbortSignal): AsyncGenerator<JsonObject> {
    const response = await proven(this.#options.authorization, signal, (headers) =>
      this.#askMembers(signal, true, (endpoint, patience) =>
        this.#open(endpoint, path, body, headers, patience, false),
      ),
    );
    let rest = '';
    for await (const chunk of addAbortSignal(signal, response).setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const said = line === '' ? {} : asJson(line);
        if (!isJsonObject(said)) throw new EtcdError('etcd tells something that is no JSON object');
        yield said;
      }
    }
  }

  async #askMembers<T>(
    signal: AbortSignal,
    repeatable: boolean,
    ask: (endpoint: URL, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { endpoints } = this.#options;
    for (let tried = 1; ; tried++) {
      signal.throwIfAborted();
      const turn = this.#turn;
      try {
        return await this.#patiently(endpoints[turn % endpoints.length] as URL, signal, ask);
      } catch (error) {
        const leaves = isTrouble(error, signal);
        // Others may have met it at the same time, and must not skip the one after it.
        if (leaves && this.#turn === turn) this.#turn = turn + 1;
        signal.throwIfAborted();
        const goesOn = leaves && (repeatable || neverLeft(error) || isNoLeader(error));
        if (!goesOn || tried >= endpoints.length) throw error;
      }
    }
  }

  async #patiently<T>(
    endpoint: URL,
    signal: AbortSignal,
    ask: (endpoint: URL, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock, endpoints } = this.#options;
    if (endpoints.length === 1) return ask(endpoint, signal);
    return within(clock, { signal, timeoutMs: PATIENCE_MS }, async (patience) => {
      try {
        return await ask(endpoint, patience.signal);
      } catch (error) {
        if (!patience.signal.aborted || neverLeft(error)) throw error;
        throw new EtcdError(`${endpoint.origin} has not answered for ${PATIENCE_MS / 1000} s`);
      }
    });
  }

  /** @returns an answer that is none of trouble, which is still to be read. */
  async #open(
    endpoint: URL,
    path: string,
    body: JsonObject,
    headers: Proof,
    signal: AbortSignal,
    isCall: boolean,
  ): Promise<IncomingMessage> {
    const { tls } = this.#options;
    const secure = endpoint.protocol === 'https:';
    const [http, https] = this.#agents;
    const url = new URL(`v3/${path}`, endpoint.href.endsWith('/') ? endpoint : `${endpoint.href}/`);
    const text = JSON.stringify(body);
    const options = {
      ...(secure ? tls : {}),
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      signal,
      // A stream has a connection of its own, which ends with it.
      agent: isCall ? (secure ? https : http) : false,
    };
    const response = await send(url, text, options, isCall);
    if (response.statusCode === 200) return response;
    throw refusalOf(response.statusCode, asJson(await textOf(response)));
  }
}

/** Whether it is better to ask another member next. */
function isTrouble(error: unknown, signal: AbortSignal): boolean {
  // Who has given up for any other reason says nothing about the member.
  if (signal.aborted) return (signal.reason as Error | undefined)?.name === 'TimeoutError';
  return isNoLeader(error) || !changedNothing(error);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
