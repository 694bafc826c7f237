import { expect } from 'vitest';
import type { DescribedApi } from './described-api.ts';

/** What a test asks. */
export interface Call {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** What it is answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Asks an API, as `POST /accounts/ann/lease`. Whatever it answers must be as it is described. */
export function apiCaller(fetch: (request: Request) => Promise<Response>, api: DescribedApi) {
  return async (what: string, { headers = {}, body }: Call = {}): Promise<Answer> => {
    const [method = '', path = ''] = what.split(' ');
    const given = Object.entries(headers).filter(
      (header): header is [string, string] => header[1] !== undefined,
    );
    const request = new Request(`https://x.test${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...Object.fromEntries(given),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const response = await fetch(request.clone());
    await api.check(request, response);
    const text = await response.text();
    return {
      ...{ status: response.status, headers: response.headers },
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
}

/** Whether it is this refusal, with these members. */
export function expectProblem(
  { status, body }: Answer,
  expected: number,
  reason: string,
  members: object = {},
) {
  expect({ status, body }).toEqual({
    status: expected,
    body: expect.objectContaining({ type: `urn:dynamodb-fenced:problem:${reason}`, reason, ...members }),
  });
}
