import { apiGatewayV2, functionUrl, type HttpLambda, type HttpResultV2 } from '../../src/http/index.ts';
import { httpEvent } from './http-event.ts';

type Fetch = (request: Request) => Promise<Response>;

/** Makes a Fetch of what Lambda calls, as API Gateway would call it. */
export function throughGateway(lambda: HttpLambda): Fetch {
  const gateway = { stage: 'prod', domainName: 'a1b2c3.execute-api.eu-central-1.amazonaws.com' };
  return async (request) => toResponse(await lambda(await httpEvent(request, gateway), {}));
}

/** The ways by which a request comes to a handler. Each makes a Fetch of it, whichever it is. */
export const ways: Readonly<Record<string, (handler: Fetch) => Fetch>> = {
  Fetch: (handler) => handler,
  'API Gateway v2': (handler) => throughGateway(apiGatewayV2(handler)),
  'a function URL': (handler) => {
    const lambda = functionUrl(handler);
    return async (request) => toResponse(await lambda(await httpEvent(request), {}));
  },
};

function toResponse({ statusCode, headers, body, isBase64Encoded }: HttpResultV2): Response {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return new Response(bytes.length === 0 ? null : bytes, { status: statusCode, headers });
}
