import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SdkRequest, SdkRequestHandler } from '../request-handler.ts';
import type { Engine } from './engine.ts';

/**
 * An SDK `requestHandler` that hands requests to the engine without a socket. It behaves as a wire would: an
 * abort ends the call, not what the engine is doing.
 */
export function socketlessHandler(engine: Engine): SdkRequestHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request, options) {
      const signal = options?.abortSignal as AbortSignal | undefined;
      if (signal?.aborted === true) throw abortError();
      if (engine.closed) throw connectionRefused();
      const answer = await unlessAborted(
        engine.answer(header(request, 'x-amz-target'), bodyText(request)),
        signal,
      );
      return {
        response: {
          statusCode: answer.statusCode,
          headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
          body: Readable.from([Buffer.from(answer.body)]),
        },
      };
    },
    destroy() {},
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}

function header(request: SdkRequest, name: string): string | undefined {
  const found = Object.keys(request.headers).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : request.headers[found];
}

function bodyText({ body }: SdkRequest): string {
  return typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortError());
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

// The name by which the SDK's own handlers say it, and by which its callers tell it.
function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}

// What a client sees of a server that is gone.
function connectionRefused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED: the local DynamoDB is closed'), {
    code: 'ECONNREFUSED',
  });
}
