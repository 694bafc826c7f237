import { type Clock, systemClock } from '../fence/clock.ts';
import { checkWallClock } from '../fence/clock-option.ts';
import { checkDuration } from '../fence/duration.ts';
import { InvalidInputError } from '../fence/errors.ts';
import type { RejectedReason } from '../fence/events.ts';
import { checkResource, type Fence, fence, sessionOf } from '../fence/fence.ts';
import { anything, checkOptions, type OptionChecks, refuseUndefined } from '../fence/options.ts';
import type { Session } from '../fence/session.ts';
import { wallTimeMs } from '../fence/wall-time.ts';
import type { SequencerClaims } from './claims.ts';
import { type SequencerKey, secretKey } from './key.ts';
import { fromPayload, toPayload } from './payload.ts';
import { tellRejected } from './rejected.ts';
import { join, split } from './sealed-text.ts';
import { isSigned, sign } from './signature.ts';

/** What a sequencer may be made with. */
export interface SequencerOptions {
  /** The key before this one, while its sequencers may still be out: they are opened, and none are sealed with it. */
  readonly previousKey?: SequencerKey;
  /** What decides whether one has expired. Default this machine's. */
  readonly clock?: Pick<Clock, 'now'>;
}

/** What `seal` takes. */
export interface SealOptions {
  /** When it expires, in ms from now. Default what is left of the lease; a bare fence has no such time, so it needs this. */
  readonly ttlMs?: number;
}

/** What `open` takes. */
export interface OpenOptions {
  /** What it must be for. Without it, ask `opened.fence.resource` yourself. */
  readonly resource?: string;
}

/** What `open` answers. */
export type OpenedSequencer =
  | {
      readonly ok: true;
      /** A bare fence: it keeps out who is older. That the grant still stands only the storage knows. */
      readonly fence: Fence;
      /** Who held the lease when it was sealed. */
      readonly holder: string;
      /** In ms since the epoch. */
      readonly expiresAtMs: number;
    }
  | { readonly ok: false; readonly reason: RejectedReason };

/** Seals fences for clients, and opens what they send back. */
export interface Sequencer {
  /**
   * Seals a fence into a text that a client can carry and not change. It can be read, though: base64 hides nothing.
   *
   * @param fence a lease, or a bare fence with `ttlMs`.
   * @param options `ttlMs` (default `lease.remainingMs()`: what ends is counted by the clock of this process, not by that of
   * whoever granted the lease).
   * @returns characters that need no quoting in headers, URLs and cookies; about 150 of them. Costs no request.
   * @throws InvalidInputError where it is no fence, or has no end; LeaseReleasedError after release.
   * @example
   * return new Response(null, { status: 201, headers: { 'Fencing-Token': seals.seal(lease) } });
   */
  seal(fence: Fence, options?: SealOptions): string;
  /**
   * Opens what a client sent, and tells those who listen if it is refused: an event `rejected` on the channel
   * `dynamodb-fenced` of `node:diagnostics_channel`.
   *
   * @param text what the client sent. Anything: it is not trusted.
   * @param options `resource`: what it must be for.
   * @returns `{ ok: true, fence, holder, expiresAtMs }`; or why not: `malformed`, `tampered`, `foreign`, `expired`. Costs no request.
   * @throws InvalidInputError where the options cannot work; never for the text.
   * @example
   * const opened = seals.open(request.headers.get('Fencing-Token') ?? '', { resource: 'account/a1' });
   * if (!opened.ok) return new Response(null, { status: opened.reason === 'foreign' ? 403 : 401 });
   */
  open(text: string, options?: OpenOptions): OpenedSequencer;
}

const sequencerOptions: OptionChecks<SequencerOptions> = { previousKey: anything, clock: checkWallClock };
const sealOptions: OptionChecks<SealOptions> = { ttlMs: checkDuration };
const openOptions: OptionChecks<OpenOptions> = { resource: checkResource };

/**
 * Makes fences safe to hand to clients. A token is only a number: who may send any number can send 10^15, and lock everybody
 * after it out. A sealed one is signed (HMAC-SHA-256), so that a client can send back what it was given, and nothing else.
 *
 * It is what Chubby calls a sequencer: «an opaque byte-string that describes the state of the lock immediately after
 * acquisition» (Burrows 2006, §2.4).
 *
 * @param key at least 32 random bytes, the same for all who seal and open.
 * @param options `previousKey` while keys are changed; `clock`.
 * @returns what seals and opens. Costs no request.
 * @throws InvalidInputError for a key that is none, or too short.
 * @example
 * const seals = sequencer(Buffer.from(secret, 'base64'));
 */
export function sequencer(key: SequencerKey, options?: SequencerOptions): Sequencer {
  const { previousKey, clock = systemClock } = checkOptions(options, sequencerOptions);
  const current = secretKey(key, 'key');
  const keys = previousKey === undefined ? [current] : [current, secretKey(previousKey, 'previousKey')];

  return {
    seal(sealed, given) {
      const { ttlMs } = checkOptions(given, sealOptions);
      const session = sessionOf(sealed);
      session.assertUsable();
      const { resource, token, holder } = sealed;
      const expiresAtMs = Math.floor(wallTimeMs(clock) + (ttlMs ?? remainingMsOf(session)));
      const payload = toPayload({ resource, token, holder, expiresAtMs });
      return join(payload, sign(current, payload));
    },

    open(text, given) {
      const { resource } = checkOptions(given, openOptions);
      refuseUndefined(given, 'resource');
      const atMs = wallTimeMs(clock);
      const reject = (reason: RejectedReason, claims?: SequencerClaims): OpenedSequencer => {
        tellRejected(() => ({
          ...{ atMs, reason, resource, sealedResource: claims?.resource },
          ...{ token: claims?.token, holder: claims?.holder },
        }));
        return { ok: false, reason };
      };
      const parts = split(text);
      if (parts === undefined) return reject('malformed');
      if (!isSigned(keys, parts.payload, parts.signature)) return reject('tampered');
      const claims = fromPayload(parts.payload);
      if (claims === undefined) return reject('malformed');
      if (resource !== undefined && claims.resource !== resource) return reject('foreign', claims);
      const { holder, expiresAtMs } = claims;
      if (expiresAtMs <= atMs) return reject('expired', claims);
      return { ok: true, fence: fence(claims.resource, claims.token), holder, expiresAtMs };
    },
  };
}

function remainingMsOf({ remainingMs }: Session): number {
  if (remainingMs !== undefined) return remainingMs;
  throw new InvalidInputError(
    'ttlMs',
    'a bare fence has no end, so what is sealed would never expire',
    'Pass ttlMs, how long the client may use it, in milliseconds; or seal the lease itself.',
  );
}
