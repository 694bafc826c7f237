/*
 * The SDK's types for these are spread over packages that it does not promise to keep. These say as much as
 * a handler needs, and fit `requestHandler` in the options of every client.
 */

/** A request of the AWS SDK on its way out: complete and signed. */
export interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Record<string, string | string[] | null> | undefined;
  readonly headers: Record<string, string>;
  /** Text or bytes. */
  readonly body?: unknown;
}

/** What came back. */
export interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  /** A `Readable`. */
  readonly body?: unknown;
}

/** What the AWS SDK says about one attempt. */
export interface SdkRequestOptions {
  readonly abortSignal?: unknown;
  /** In ms. */
  readonly requestTimeout?: number | undefined;
}

/** What the AWS SDK takes as `requestHandler`: the wire, as a parameter. */
export interface SdkRequestHandler {
  readonly metadata?: { readonly handlerProtocol: string };
  /** Sends one attempt. */
  handle(request: SdkRequest, options?: SdkRequestOptions): Promise<{ response: SdkResponse }>;
  /** Frees what it holds open. */
  destroy(): void;
  /** How the SDK changes a setting of the handler. */
  updateHttpClientConfig(key: never, value: never): void;
  /** How the SDK reads its settings. */
  httpHandlerConfigs(): Record<string, unknown>;
}
