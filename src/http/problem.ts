/** A problem document, as RFC 9457 defines it, with members of its own. */
export interface Problem {
  /** What kind of problem it is, as an identifier that never changes. */
  readonly type: string;
  /** What that kind is, in a few words: the same for every problem of the type. */
  readonly title: string;
  readonly status: number;
  /** What happened here, and what to do next. */
  readonly detail: string;
  readonly [member: string]: unknown;
}

/** A problem before it is sent. `reason` becomes its type. */
export interface ProblemInit {
  readonly status: number;
  readonly reason: string;
  readonly title: string;
  readonly detail: string;
  /** What else the document says. What is undefined is left out. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Makes a response of a problem, for refusals of your own that shall look like those of this library.
 *
 * @param init `status`, `reason`, `title`, `detail`; `members` of your own, and `headers`.
 * @returns the response, `application/problem+json`, not to be cached. Its body has `reason` too, for those who do not read URIs.
 * @example
 * return problem({ status: 409, reason: 'insufficient', title: 'Not enough money', detail: 'There are 3 EUR left.' });
 */
export function problem({ status, reason, title, detail, members, headers }: ProblemInit): Response {
  const body: Problem = { type: `${TYPES}${reason}`, title, status, detail, reason, ...members };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
  });
}

// A name, and no address: the documentation comes with the package.
const TYPES = 'urn:dynamodb-fenced:problem:';

/** Whole seconds, rounded up: who comes back earlier than it was told comes in vain. */
export function retryAfter(delayMs: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(delayMs / 1_000))) };
}
