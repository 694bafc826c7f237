import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { EtcdError, refusalOf } from './etcd-error.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** How members are reached. */
export interface GatewayOptions {
  readonly endpoints: readonly URL[];
  readonly authorization: (() => string | Promise<string>) | undefined;
  readonly tls: AgentOptions | undefined;
}

/**
 * The JSON gateway that every member of a cluster serves beside gRPC. It is spoken to through `node:http`, because what
 * `fetch` opens can neither present a certificate of its own nor leave the process free to exit while it listens.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #agents: readonly [HttpAgent, HttpsAgent];
  /** Which member is asked; the next one after one that could not be reached. */
  #turn = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#agents = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ ...options.tls, keepAlive: true })];
  }

  /**
   * Asks for something, once: another member only where the one before cannot have heard of it.
   *
   * @throws EtcdError where etcd refuses, the signal's reason, and what the network does.
   */
  async call(path: string, body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const response = await this.#open(path, body, signal, true);
    const answer = asJson(await textOf(response, signal));
    if (response.statusCode !== 200) throw refusalOf(response.statusCode, answer);
    if (isJsonObject(answer)) return answer;
    throw new EtcdError('etcd answered with something that is no JSON object');
  }

  /** Listens. The stream keeps no process alive. */
  async *stream(path: string, body: JsonObject, signal: AbortSignal): AsyncGenerator<JsonObject> {
    const response = await this.#open(path, body, signal, false);
    if (response.statusCode !== 200) {
      throw refusalOf(response.statusCode, asJson(await textOf(response, signal)));
    }
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const said = line === '' ? {} : asJson(line);
        if (!isJsonObject(said)) throw new EtcdError('etcd tells something that is no JSON object');
        yield said;
      }
    }
  }

  async #open(
    path: string,
    body: JsonObject,
    signal: AbortSignal,
    isCall: boolean,
  ): Promise<IncomingMessage> {
    const { endpoints, authorization } = this.#options;
    const proof = await authorization?.();
    const headers = proof === undefined || proof === '' ? {} : { authorization: proof };
    for (let tried = 1; ; tried++) {
      signal.throwIfAborted();
      const turn = this.#turn;
      const endpoint = endpoints[turn % endpoints.length] as URL;
      try {
        return await this.#reach(endpoint, path, JSON.stringify(body), { headers, signal }, isCall);
      } catch (error) {
        signal.throwIfAborted();
        // Others may have met it at the same time, and must not skip the one after it.
        if (this.#turn === turn) this.#turn = turn + 1;
        if (!neverLeft(error) || tried >= endpoints.length) throw error;
      }
    }
  }

  #reach(
    endpoint: URL,
    path: string,
    body: string,
    { headers, signal }: Pick<RequestOptions, 'headers' | 'signal'>,
    isCall: boolean,
  ): Promise<IncomingMessage> {
    const secure = endpoint.protocol === 'https:';
    const [http, https] = this.#agents;
    const url = new URL(`v3/${path}`, endpoint.href.endsWith('/') ? endpoint : `${endpoint.href}/`);
    const options = {
      ...(secure ? this.#options.tls : {}),
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      signal,
      // A stream has a connection of its own, which ends with it.
      agent: isCall ? (secure ? https : http) : false,
    };
    return new Promise((resolve, reject) => {
      const sent = (secure ? httpsRequest : httpRequest)(url, options as RequestOptions, resolve);
      sent.once('error', reject);
      if (!isCall) sent.once('socket', (socket) => socket.unref());
      sent.end(body);
    });
  }
}

/** Whether nobody can have heard of a request. */
export function neverLeft(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: string };
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EHOSTUNREACH';
}

/** More than anything that is asked for here could take. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

async function textOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > LONGEST_ANSWER) throw new EtcdError('etcd answers more than 8 MiB');
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return text;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
