/*
 * The errors that NodeHttpHandler of the AWS SDK 3.1169 gives, measured against real sockets; the names and
 * codes are what callers tell them by. Each call makes a new one, because the SDK writes into them.
 */

/** The connection broke before an answer came. Nobody can tell whether the request arrived. */
export function connectionReset(): Error {
  return Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
}

/** The connection broke within the answer. */
export function answerAborted(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

/** Nobody listened: the request provably never left. */
export function connectionRefused(hostname: string, port: number): Error {
  return Object.assign(new Error(`connect ECONNREFUSED ${hostname}:${port}`), {
    errno: -111,
    code: 'ECONNREFUSED',
    syscall: 'connect',
    address: hostname,
    port,
  });
}

/** The client stopped waiting (`throwOnRequestTimeout`). */
export function requestTimedOut(): Error {
  const message = '@smithy/node-http-handler - [ERROR] a request has exceeded the configured requestTimeout.';
  return Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' });
}

/** The caller's signal aborted. */
export function requestAborted(signal: AbortSignal): Error {
  const cause = signal.reason instanceof Error ? { cause: signal.reason } : {};
  return Object.assign(new Error('Request aborted', cause), { name: 'AbortError' });
}
