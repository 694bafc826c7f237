import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { anything, checkOptions, checkRecord, type OptionChecks } from '../fence/options.ts';
import { checkHeaders } from './headers.ts';
import { toJson } from './json.ts';

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

const problemInit: OptionChecks<ProblemInit> = {
  status: anything,
  reason: anything,
  title: anything,
  detail: anything,
  members: checkRecord,
  headers: checkHeaders,
};

function checkErrorStatus(status: unknown, path: string): void {
  if (Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599) return;
  throw new InvalidInputError(path, `${describe(status)} is no status of an error`, 'Pass 400 to 599.');
}

function checkText(text: unknown, path: string): void {
  if (typeof text === 'string' && text !== '') return;
  throw new InvalidInputError(path, `${describe(text)} is no text`, 'Pass a few words.');
}

/**
 * Makes a response of a problem, for refusals of your own that shall look like those of this library.
 *
 * @param init `status`, `reason`, `title`, `detail`; `members` of your own, and `headers`.
 * @returns the response, `application/problem+json`, not to be cached. Its body has `reason` too, for those who do not read URIs.
 * @throws InvalidInputError where it cannot be sent: a status that is none of an error, a text that is none.
 * @example
 * return problem({ status: 409, reason: 'insufficient', title: 'Not enough money', detail: 'There are 3 EUR left.' });
 */
export function problem(init: ProblemInit): Response {
  const { status, reason, title, detail, members, headers } = checkOptions(init, problemInit, 'init');
  // A status that is left out would be 200.
  checkErrorStatus(status, 'status');
  for (const [name, text] of Object.entries({ reason, title, detail })) checkText(text, name);
  const body: Problem = { type: `${TYPES}${reason}`, title, status, detail, reason, ...members };
  return new Response(toJson(body), {
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
