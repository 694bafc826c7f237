import { type WireRequest, wireRequest } from './faults/wire-request.ts';
import type { SdkRequestHandler } from './request-handler.ts';
import { wrapHandler } from './wrap-handler.ts';

/** An SDK `requestHandler` that remembers what was sent. */
export interface RecordingHandler extends SdkRequestHandler {
  /** Every copy of every request, in the order in which they left. */
  readonly requests: readonly WireRequest[];
  /** Their operations alone: what most assertions need. */
  readonly ops: readonly string[];
  /** Starts over. */
  forget(): void;
}

/**
 * Writes down every request that an AWS SDK client sends. Around `faults` it sees what was sent; within, what arrived.
 *
 * @param handler what answers.
 * @param onRequest is shown each request before it leaves; what it throws, the client gets instead of an answer.
 * @example
 * const wire = record(db.handler);
 * const accounts = new FencedRepository({ client: db.client({ requestHandler: wire }), … });
 * await accounts.claim(lease, { id: 'a1' });
 * expect(wire.ops).toEqual(['UpdateItem']);
 */
export function record(
  handler: SdkRequestHandler,
  onRequest: (request: WireRequest) => void = () => {},
): RecordingHandler {
  let requests: WireRequest[] = [];
  let count = 0;
  const wrapped = wrapHandler(handler, async (http, options) => {
    count++;
    const request = wireRequest(http, count);
    requests.push(request);
    onRequest(request);
    return handler.handle(http, options);
  });
  return {
    ...wrapped,
    get requests() {
      return requests;
    },
    get ops() {
      return requests.map(({ op }) => op);
    },
    forget() {
      requests = [];
    },
  };
}
