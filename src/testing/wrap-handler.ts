import type { SdkRequestHandler } from './request-handler.ts';

/** A handler that sends in a way of its own and is the one behind it in everything else. */
export function wrapHandler(
  handler: SdkRequestHandler,
  handle: SdkRequestHandler['handle'],
): SdkRequestHandler {
  return {
    ...(handler.metadata === undefined ? {} : { metadata: handler.metadata }),
    handle,
    destroy: () => handler.destroy(),
    updateHttpClientConfig: (key, value) => handler.updateHttpClientConfig(key, value),
    httpHandlerConfigs: () => handler.httpHandlerConfigs(),
  };
}
