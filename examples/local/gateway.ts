// What API Gateway does before a function, for requests of this machine.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpLambda } from 'dynamodb-fenced/http';
import { refuse, send } from './answer.ts';
import { bodyOf } from './body-of.ts';
import { eventOf, targetOf } from './event-of.ts';
import type { Route } from './routes-of.ts';

/** Routes, and what answers them. */
export interface LocalApi {
  readonly routes: readonly Route[];
  readonly handler: HttpLambda;
}

/**
 * Answers a request by the function of its route.
 *
 * @param begin is called before the body is read.
 * @returns when it is answered, or nobody waits for an answer any more. Never rejects.
 */
export async function answer(
  apis: readonly LocalApi[],
  request: IncomingMessage,
  response: ServerResponse,
  begin: () => void = () => {},
): Promise<void> {
  const { host: hosts = [] } = request.headersDistinct;
  const target = targetOf(request);
  if (target === undefined || hosts.length > 1) return refuse(request, response, 400, 'Bad Request');
  if (!hosts.every(isThisMachine)) return refuse(request, response, 403, 'Forbidden');
  const found = routeOf(apis, request.method ?? 'GET', target.path);
  if (found === undefined) return refuse(request, response, 404, 'Not Found');
  const body = await bodyOf(request, begin);
  if (body === 'gone') return;
  if (body === 'too-large') return refuse(request, response, 413, 'Request Entity Too Large');
  try {
    send(response, await found.handler(eventOf(request, found.route, target, body), {}));
  } catch (error) {
    // In Lambda the runtime logs it, and the gateway shows no more than this.
    console.error(error);
    await refuse(request, response, 500, 'Internal Server Error');
  }
}

/**
 * Whether a Host is one that a person types for this machine. Pages of the web may have names of their own that lead here, and would be
 * let in without being asked who they are. A gateway knows its names as well.
 */
function isThisMachine(host: string): boolean {
  return /^(127\.0\.0\.1|([\w-]+\.)*localhost)(:\d*)?$/i.test(host);
}

function routeOf(apis: readonly LocalApi[], method: string, path: string) {
  for (const { routes, handler } of apis) {
    const route = routes.find(({ matches }) => matches(method, path));
    if (route !== undefined) return { route, handler };
  }
  return undefined;
}
