/**
 * A request as API Gateway HTTP APIs and Lambda function URLs hand it over: payload format 2.0. Only what is read; the types of
 * `@types/aws-lambda` fit.
 */
export interface HttpEventV2 {
  readonly version: string;
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly cookies?: readonly string[] | undefined;
  /** Lines of the same name are one, joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly requestContext: {
    readonly domainName: string;
    readonly stage: string;
    readonly http: { readonly method: string };
  };
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

/** A response as both take it. */
export interface HttpResultV2 {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  /** The `Set-Cookie` lines, which cannot be joined. */
  readonly cookies: string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
