import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { SdkRequest, SdkRequestHandler } from '../request-handler.ts';
import type { Answer } from './fault.ts';

/** An SDK `requestHandler` that passes requests on to a server, headers and bytes as they are. */
export function forwardHandler(target: URL): SdkRequestHandler {
  // A connection for each request: one that is broken by a fault must not take another request with it.
  const agent = new Agent({ keepAlive: false });
  return {
    handle: (http) => forward(http, target, agent),
    destroy: () => agent.destroy(),
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}

function forward({ method, path, headers, body }: SdkRequest, target: URL, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = target;
    const outgoing = httpRequest({ hostname, port, agent, method, path, headers }, (answer) => {
      resolve({
        response: { statusCode: answer.statusCode ?? 502, headers: endToEnd(answer), body: answer },
      });
    });
    outgoing.on('error', reject);
    if (body instanceof Readable) body.pipe(outgoing);
    else outgoing.end(body);
  });
}

// What concerns one connection only. The length goes too, because a fault may change it.
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

function endToEnd({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => value !== undefined && !hopByHop.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
