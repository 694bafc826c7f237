import type { CallOptions } from '../fence/call-options.ts';
import type { FencingToken } from '../fence/token.ts';
import { within } from '../fence/within.ts';
import type { LeaseContext } from './lease-context.ts';
import type { CanRaise, RaiseRequest, TokenSource } from './token-source.ts';
import { untilDecided } from './until-decided.ts';

/** Raises the counter of a resource until the source has accepted it. */
export async function raise(
  context: LeaseContext<TokenSource & CanRaise>,
  request: RaiseRequest,
  options: CallOptions,
): Promise<FencingToken> {
  const { token } = await within(context.clock, options, (deadline) =>
    untilDecided(context, deadline, {
      name: `The raise of ${request.resource}`,
      ask: () => context.source.raise(request, deadline),
      ifUnknown:
        'Call raise() again: a counter that was raised already is raised a little further, which does no harm.',
      resolve: (again) => raise(context, request, { ...again }),
    }),
  );
  context.lastSeen.note(request.resource, token);
  return token;
}
