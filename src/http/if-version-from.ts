import { callable, checkOptions, flag, type OptionChecks } from '../fence/options.ts';
import { parseIfMatch } from './etag.ts';
import { problem } from './problem.ts';
import { refusalResponse } from './refusal.ts';

/** What the precondition of a request must be. */
export interface IfVersionFromOptions {
  /** Answers 428 where there is none, so that no update is lost (RFC 6585 §3). Default false. */
  readonly required?: boolean;
  /** What there is now. It is only asked for `*` and for lists. */
  readonly read: () => Promise<{ readonly version: string } | undefined>;
}

/** What a request with a precondition comes to. */
export type IfVersion =
  | {
      /** The write may be tried. */
      readonly ok: true;
      /** For the write: with `ifVersion`, or without where the request has no precondition. */
      readonly options: { readonly ifVersion?: string };
    }
  | {
      /** It cannot hold, so there is nothing to try. */
      readonly ok: false;
      /** What to answer: 412, 428 or 400. */
      readonly response: Response;
    };

const ifVersionFromOptions: OptionChecks<IfVersionFromOptions> = { required: flag, read: callable };

/**
 * Makes `ifVersion` of the header `If-Match` of a request. The storage compares: a check before the write would be a race.
 *
 * A tag becomes the version that it stands for. `*` (there must be something) and lists become the version that there is now, if it
 * is among them, so that the write still fails if it changes in between. Weak tags match nothing, as RFC 9110 §13.1.1 has it.
 *
 * @param request a Fetch request, or whatever has its headers.
 * @param options `read`: what there is now, one read for `*` and for lists; `required` (default false).
 * @returns `{ ok: true, options }` for the write, or `{ ok: false, response }`: 412 where nothing can match, 400 for what is no list
 * of tags, 428 where one is required.
 * @throws what `read` throws; InvalidInputError where the options cannot work.
 * @example
 * const precondition = await ifVersionFrom(request, { read: () => accounts.get({ id }) });
 * if (!precondition.ok) return precondition.response;
 * return respond(await accounts.update(fence, { id }, changes, precondition.options));
 */
export async function ifVersionFrom(
  request: Pick<Request, 'headers'>,
  options: IfVersionFromOptions,
): Promise<IfVersion> {
  const { required = false, read } = checkOptions(options, ifVersionFromOptions);
  callable(read, 'read');
  const field = request.headers.get('If-Match');
  if (field === null) return required ? { ok: false, response: none() } : { ok: true, options: {} };
  const versions = parseIfMatch(field);
  if (versions === undefined) return { ok: false, response: malformed() };
  const [first] = versions;
  if (versions !== '*' && first === undefined) return mismatch(undefined);
  if (versions !== '*' && versions.length === 1 && first !== undefined) {
    return { ok: true, options: { ifVersion: first } };
  }
  const current = (await read())?.version;
  if (current === undefined) return mismatch(undefined);
  const matches = versions === '*' || versions.includes(current);
  return matches ? { ok: true, options: { ifVersion: current } } : mismatch(current);
}

function mismatch(version: string | undefined): IfVersion {
  const refusal = { ok: false, reason: 'version', ...(version === undefined ? {} : { version }) } as const;
  return { ok: false, response: refusalResponse(refusal) };
}

function none(): Response {
  return problem({
    ...{ status: 428, reason: 'if-match-missing', title: 'If-Match is required' },
    detail: 'Send the header If-Match with the ETag of what you have looked at.',
  });
}

function malformed(): Response {
  return problem({
    ...{ status: 400, reason: 'if-match-malformed', title: 'This is no If-Match' },
    detail: 'Send * or entity tags, as "42.1.fn-7f3a", separated by commas.',
  });
}
