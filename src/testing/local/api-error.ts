/** The body of a refusal, as DynamoDB puts it on the wire. */
export interface ErrorBody {
  readonly __type: string;
  readonly message?: string;
  readonly [member: string]: unknown;
}

/** A refusal on its way to the caller. dynalite's own errors have the same two members. */
export class ApiError extends Error {
  readonly statusCode: number;
  readonly body: ErrorBody;

  constructor(body: ErrorBody, statusCode = 400) {
    super(body.message ?? body.__type);
    this.statusCode = statusCode;
    this.body = body;
  }
}

/** Whether an error is an answer to the caller, ours or dynalite's, rather than a defect. */
export function isApiError(error: unknown): error is Pick<ApiError, 'statusCode' | 'body'> {
  const { statusCode, body } = (error ?? {}) as Partial<ApiError>;
  return typeof statusCode === 'number' && typeof body?.__type === 'string';
}

/** The name in an error body, without its namespace: `ValidationException`. */
export function errorName(body: ErrorBody): string {
  return body.__type.slice(body.__type.indexOf('#') + 1);
}

/** A refusal by DynamoDB itself, such as `TransactionCanceledException`. */
export function refusal(name: string, message: string, members: Record<string, unknown> = {}): ApiError {
  return new ApiError({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...members });
}

/** A refusal of the input. */
export function validationError(message: string): ApiError {
  return new ApiError({ __type: 'com.amazon.coral.validate#ValidationException', message });
}
