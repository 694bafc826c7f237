import { callable } from '../fence/options.ts';
import type { HttpEventV2, HttpResultV2 } from './event.ts';
import { problem } from './problem.ts';
import { checkEvent, toRequest } from './to-request.ts';
import { toResult } from './to-result.ts';

/** Answers a Fetch request. `origin` is what it was made of. */
export type HttpHandler<Context = unknown> = (
  request: Request,
  origin: { readonly event: HttpEventV2; readonly context: Context },
) => Promise<Response> | Response;

/** What Lambda calls. */
export type HttpLambda<Context = unknown> = (event: HttpEventV2, context: Context) => Promise<HttpResultV2>;

/**
 * Makes a Lambda handler for an API Gateway HTTP API (payload format 2.0) of a handler of Fetch requests. Bodies may be binary in
 * both directions, header lines of one name are joined, and cookies stay apart. The gateway hands over a path without its escapes: it is
 * escaped again, but a slash that was escaped stays a bare one, and what follows an escaped `?` is lost on the way
 * ([measured by others](https://github.com/middleapi/standard-server/pull/93)).
 *
 * @param handler answers the request. The name of the stage is no part of its path.
 * @returns the Lambda handler. It answers 400 to what is no request, and throws what the handler throws.
 * @throws InvalidInputError where the handler is no function; from the Lambda handler, for an event of another kind.
 * @example
 * export const handler = apiGatewayV2(api.fetch);
 */
export function apiGatewayV2<Context = unknown>(handler: HttpHandler<Context>): HttpLambda<Context> {
  // What the URL would not escape by itself: here it begins no escape.
  return lambdaOf(handler, (event) => pathWithoutStage(event).replaceAll('%', '%25'));
}

/**
 * Makes a Lambda handler for a function URL of a handler of Fetch requests: as {@link apiGatewayV2}, with the path as it is.
 *
 * @param handler answers the request.
 * @returns the Lambda handler. It answers 400 to what is no request, and throws what the handler throws.
 * @throws InvalidInputError where the handler is no function; from the Lambda handler, for an event of another kind.
 * @example
 * export const handler = functionUrl(api.fetch);
 */
export function functionUrl<Context = unknown>(handler: HttpHandler<Context>): HttpLambda<Context> {
  return lambdaOf(handler, ({ rawPath }) => rawPath);
}

function lambdaOf<Context>(
  handler: HttpHandler<Context>,
  pathOf: (event: HttpEventV2) => string,
): HttpLambda<Context> {
  callable(handler, 'handler');
  return async (event, context) => {
    checkEvent(event);
    const request = toRequest(event, pathOf(event));
    return toResult(request === undefined ? noRequest() : await handler(request, { event, context }));
  };
}

// Only the gateway's own domain has the stage in its paths: a custom domain maps to it.
const ownDomain = /\.execute-api\.[\w-]+\.amazonaws\.com(\.cn)?$/;

function pathWithoutStage({ rawPath, requestContext: { stage, domainName } }: HttpEventV2): string {
  const prefix = `/${stage}`;
  if (stage === '$default' || !ownDomain.test(domainName) || !`${rawPath}/`.startsWith(`${prefix}/`))
    return rawPath;
  return rawPath.slice(prefix.length) || '/';
}

function noRequest(): Response {
  return problem({
    ...{ status: 400, reason: 'no-request', title: 'This is no HTTP request' },
    detail: 'The path, a header or the method is none that is taken here.',
  });
}
