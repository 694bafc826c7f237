/**
 * A request as API Gateway HTTP APIs and Lambda function URLs hand it over: payload format 2.0. Only what is read; the types of
 * `@types/aws-lambda` fit.
 */
export interface HttpEventV2 {
  /** `2.0`. */
  readonly version: string;
  /**
   * Of a function URL as the client sent it, escapes and all; of an HTTP API without its escapes, and with the stage, on the gateway's
   * own domain.
   */
  readonly rawPath: string;
  /** Without its question mark; empty where there is none. */
  readonly rawQueryString: string;
  /** As `a=1`, one a cookie. */
  readonly cookies?: readonly string[] | undefined;
  /** Lines of the same name are one, joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the gateway knows of it. */
  readonly requestContext: {
    readonly domainName: string;
    readonly stage: string;
    readonly http: { readonly method: string };
  };
  /** As text, or as base64. */
  readonly body?: string | undefined;
  /** Whether the body is base64. */
  readonly isBase64Encoded: boolean;
}

/** A response as both take it. */
export interface HttpResultV2 {
  /** As 200. */
  readonly statusCode: number;
  /** By names in small letters. */
  readonly headers: Record<string, string>;
  /** The `Set-Cookie` lines, which cannot be joined. */
  readonly cookies: string[];
  /** As text, or as base64. */
  readonly body: string;
  /** Whether the body is base64. */
  readonly isBase64Encoded: boolean;
}
