import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyHandlerV2,
  Context,
  LambdaFunctionURLEvent,
  LambdaFunctionURLHandler,
} from 'aws-lambda';
import { apiGatewayV2, functionUrl, type HttpEventV2, respond } from 'dynamodb-fenced/http';
import { expect, test } from 'tstyche';

test('the events of @types/aws-lambda fit, and so do the handlers', () => {
  expect<HttpEventV2>().type.toBeAssignableFrom<APIGatewayProxyEventV2>();
  expect<HttpEventV2>().type.toBeAssignableFrom<LambdaFunctionURLEvent>();
  const gateway = apiGatewayV2<Context>(() => new Response());
  expect<APIGatewayProxyHandlerV2>().type.toBeAssignableFrom(gateway);
  expect<LambdaFunctionURLHandler>().type.toBeAssignableFrom(functionUrl<Context>(() => new Response()));
});

test('a body is made of a success alone', () => {
  const result = { ok: true, item: { id: 'a1' }, version: '1' } as
    | { ok: true; item: { id: string }; version: string }
    | { ok: false; reason: 'not-found' };
  respond(result, {
    body: (success) => {
      expect(success).type.toBe<{ ok: true; item: { id: string }; version: string }>();
      return success.item;
    },
  });
  expect(respond).type.not.toBeCallableWith(result, { status: 404 });
});
