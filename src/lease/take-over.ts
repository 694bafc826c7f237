import { stopwatch } from '../fence/clock.ts';
import { type Fence, sessionOf } from '../fence/fence.ts';
import { giveUp } from './give-up.ts';
import { handOut } from './hand-out.ts';
import { type LeaseContext, newHolder } from './lease-context.ts';
import { checkAbove, checkTtl, type GrantOptions } from './lease-options.ts';
import type { TakeOverResult } from './lease-result.ts';
import type { CanTakeOver, TokenSource } from './token-source.ts';
import { untilDecided } from './until-decided.ts';
import { within } from './within.ts';

/** Takes a lease over from its holder, under a new token. */
export async function takeOver(
  context: LeaseContext<TokenSource & CanTakeOver>,
  fence: Fence,
  options: GrantOptions,
): Promise<TakeOverResult> {
  const session = sessionOf(fence);
  options.signal?.throwIfAborted();
  session.assertUsable();
  if (session.fenced !== undefined) return session.fenced;
  const ttlMs = checkTtl(options.ttlMs ?? context.ttlMs);
  context.heartbeatMs?.(ttlMs);
  const above = checkAbove(options.above);
  return attempt(context, fence, { ...options, ttlMs, above }, newHolder(context));
}

async function attempt(
  context: LeaseContext<TokenSource & CanTakeOver>,
  fence: Fence,
  options: GrantOptions & { readonly ttlMs: number; readonly above: number },
  holder: string,
): Promise<TakeOverResult> {
  const { clock, source, lastSeen } = context;
  const { resource, token: from } = fence;
  const { ttlMs, data } = options;
  const session = sessionOf(fence);
  const sinceStart = stopwatch(clock);
  const answer = await within(clock, options, (deadline) =>
    untilDecided(context, deadline, {
      name: `The takeover of ${resource}`,
      async ask() {
        const elapsed = stopwatch(clock);
        const above = Math.max(options.above, lastSeen.get(resource));
        const request = { resource, holder, ttlMs, above, data, from };
        const asked = await source.takeOver(request, deadline);
        if (asked.is !== 'granted') return asked;
        return handOut(context, request, asked, asked.recovered ? sinceStart : elapsed, deadline);
      },
      ifUnknown:
        'Call resolve() on this error, which asks again as the same holder. A second takeOver() could be fenced by what this one was granted.',
      // Under the same nonce: the newer token in the row may be our own.
      resolve: (again) => attempt(context, fence, { ...options, ...again }, holder),
    }).catch((error: unknown) => {
      if (deadline.abortedByCaller) void giveUp(context, { resource, holder, ttlMs });
      throw error;
    }),
  );
  switch (answer.is) {
    case 'handed-out':
      session.markFenced({ lastToken: answer.lease.token, lastHolder: holder });
      return { ok: true, lease: answer.lease };
    case 'fenced': {
      const { lastToken, lastHolder, applied } = answer;
      session.markFenced({ lastToken, lastHolder });
      lastSeen.note(resource, lastToken);
      return {
        ok: false,
        reason: 'fenced',
        resource,
        token: from,
        holder: fence.holder,
        lastToken,
        lastHolder,
        applied,
      };
    }
    case 'lost':
      return { ok: false, reason: 'lost', resource, token: from, holder: fence.holder };
  }
}
