import { describe } from '../fence/describe.ts';
import { InvalidInputError } from '../fence/errors.ts';
import { checkResource, type Fence } from '../fence/fence.ts';
import { checkOptions, type OptionChecks, refuseUndefined } from '../fence/options.ts';
import type { Sequencer } from '../sequencer/index.ts';
import { FENCING_TOKEN, parseFencingToken } from './fencing-token.ts';
import { type RefusedRequest, refusedRequest } from './refused-request.ts';

/** What the fence of a request must be. */
export interface FenceFromOptions {
  /** What it must be for, as `account/a1`. Without it, ask `presented.fence.resource` yourself. */
  readonly resource?: string;
  /** Who has sealed it. With a sequencer nothing else is accepted, a plain `account/a1:42` neither. */
  readonly sequencer?: Sequencer;
}

/** What a request presents. */
export interface Presented {
  readonly ok: true;
  /** A bare fence, for writes or for `takeOver`. */
  readonly fence: Fence;
  /** Who held the lease when it was sealed; undefined for a plain one, which does not say. */
  readonly holder: string | undefined;
  /** When the seal expires, in ms since the epoch; undefined for a plain one, which never does. */
  readonly expiresAtMs: number | undefined;
}

const fenceFromOptions: OptionChecks<FenceFromOptions> = {
  resource: checkResource,
  sequencer: checkSequencer,
};

/**
 * Takes the fence from the header `Fencing-Token` of a request: sealed, or plain where every client is trusted.
 *
 * | header | status |
 * |---|---|
 * | absent | 428 |
 * | plain, and no `resource:token`, or two of them | 400 |
 * | sealed, `malformed`, `tampered` or `expired`; plain where it must be sealed | 401 |
 * | for another resource | 403 |
 *
 * @param request a Fetch request, or whatever has its headers.
 * @param options `resource`: what it must be for; `sequencer`: who has sealed it.
 * @returns `{ ok: true, fence, holder, expiresAtMs }`, or `{ ok: false, reason, response }`. Costs no request.
 * @throws InvalidInputError where the options cannot work.
 * @example
 * const presented = fenceFrom(request, { resource: `account/${id}`, sequencer: seals });
 * if (!presented.ok) return presented.response;
 * return respond(await accounts.update(presented.fence, { id }, changes));
 */
export function fenceFrom(
  request: Pick<Request, 'headers'>,
  options?: FenceFromOptions,
): Presented | RefusedRequest {
  const { resource, sequencer } = checkOptions(options, fenceFromOptions);
  refuseUndefined(options, 'resource', 'sequencer');
  const field = request.headers.get(FENCING_TOKEN);
  if (field === null) return refusedRequest('missing');
  if (sequencer !== undefined) {
    const opened = sequencer.open(field, resource === undefined ? {} : { resource });
    return opened.ok ? opened : refusedRequest(opened.reason, 'sealed');
  }
  const fence = parseFencingToken(field);
  if (fence === undefined) return refusedRequest('malformed');
  if (resource !== undefined && fence.resource !== resource) return refusedRequest('foreign');
  return { ok: true, fence, holder: undefined, expiresAtMs: undefined };
}

function checkSequencer(value: unknown, path: string): void {
  if (typeof (value as Partial<Sequencer> | null)?.open === 'function') return;
  throw new InvalidInputError(path, `${describe(value)} opens nothing`, 'Pass what sequencer(key) makes.');
}
