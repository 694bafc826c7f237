import type { Deadline } from '../fence/deadline.ts';

interface MiddlewareArgs {
  readonly request: { readonly headers?: Record<string, string> };
}
type Next = (args: MiddlewareArgs) => Promise<{ output: { $metadata: { attempts?: number } } }>;

/** A command of the SDK, as far as it takes middleware. */
export interface CommandLike {
  readonly middlewareStack: { add(middleware: (next: Next) => Next, options: object): void };
}

/** What one copy is, beside its bytes. */
export interface CopyOptions {
  /** Its number among all copies of the request, from 1. */
  readonly number: number;
  /** The same on all of them. */
  readonly invocation: string;
  /** What speaks against sending it, asked at the last moment. Default nothing. */
  readonly objection?: () => Error | undefined;
}

/** How far a copy came. */
export interface Journey {
  /** False only where it is proved that the request was not handed to the transport. */
  readonly departed: boolean;
  /** The objection that kept it from leaving. */
  readonly withdrawn: Error | undefined;
}

/**
 * Makes a command one copy of a request: sent at most once, not after the deadline, and not against an objection.
 *
 * The SDK's own retry is replaced for this command: the error that ends its loop hides those before it, so
 * what is left cannot tell whether an earlier copy was applied. Signing, endpoint and all other
 * middleware stay as the client has them, and see each copy as a request of its own.
 */
export function asOneCopy(
  { middlewareStack }: CommandLike,
  deadline: Deadline,
  { number, invocation, objection }: CopyOptions,
): Journey {
  // «outside» to the end: a client that wraps another, or stands in for one, may not run what is added to the
  // command here. Then nothing proves that the request stayed.
  let place = 'outside' as 'outside' | 'on its way' | 'departed';
  let withdrawn: Error | undefined;

  const entry = (next: Next) => (args: MiddlewareArgs) => {
    if (place === 'outside') place = 'on its way';
    return next(args);
  };
  const once = (next: Next) => async (args: MiddlewareArgs) => {
    if (args.request.headers !== undefined) {
      args.request.headers['amz-sdk-invocation-id'] = invocation;
      args.request.headers['amz-sdk-request'] = `attempt=${number}`;
    }
    const result = await next(args);
    result.output.$metadata.attempts = number;
    return result;
  };
  const departure = (next: Next) => async (args: MiddlewareArgs) => {
    // Credentials may have taken their time.
    if (deadline.over) throw deadline.signal.reason;
    withdrawn = objection?.();
    if (withdrawn !== undefined) throw withdrawn;
    // A middleware of the client's that tries again would send a copy that nobody counts.
    if (place === 'departed') throw new Error('This request was sent before. Each copy is sent once.');
    place = 'departed';
    return next(args);
  };
  middlewareStack.add(entry, { name: 'fencedEntry', step: 'initialize', priority: 'high' });
  // Same name, step and priority as the SDK's: this is how the SDK lets a middleware be replaced.
  middlewareStack.add(once, {
    ...{ name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' },
    override: true,
  });
  middlewareStack.add(departure, { name: 'fencedDeparture', step: 'finalizeRequest', priority: 'low' });
  return {
    get departed() {
      return place !== 'on its way';
    },
    get withdrawn() {
      return withdrawn;
    },
  };
}
