/**
 * Fencing over HTTP: fences and preconditions out of requests, responses out of results. It all works on the `Request` and
 * `Response` of Fetch, so it fits every server that speaks them.
 *
 * @module dynamodb-fenced/http
 */

export { formatETag } from './etag.ts';
// Payload format 2.0 of Lambda, for API Gateway HTTP APIs and function URLs.
export type { HttpEventV2, HttpResultV2 } from './event.ts';
// Out of requests.
export { type FenceFromOptions, fenceFrom, type Presented } from './fence-from.ts';
export { formatFencingToken } from './fencing-token.ts';
export { type IfVersion, type IfVersionFromOptions, ifVersionFrom } from './if-version-from.ts';
export { apiGatewayV2, functionUrl, type HttpHandler, type HttpLambda } from './lambda-handlers.ts';
export { type Problem, type ProblemInit, problem } from './problem.ts';
export type { AnyRefusal } from './refusal.ts';
export type { RefusedRequest } from './refused-request.ts';
// Into responses.
export { type RespondOptions, respond } from './respond.ts';
export { answering, respondToError } from './respond-to-error.ts';
export { statusOf } from './status.ts';
