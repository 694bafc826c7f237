const NOT_SENT = 'NOT_SENT';

/** What Node calls the failures to connect at all. */
const neverConnected: readonly (string | undefined)[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
];

/** Says that a client has sent nothing, because it is closed. Its own error may mean that a request was cut off as well. */
export function notSent(error: Error): Error {
  return Object.assign(new Error(error.message, { cause: error }), { code: NOT_SENT });
}

/** What a client says, told as {@link notSent} where it is how it turns a request away without sending it. */
export function notSentWhere(turnsAway: RegExp, error: unknown): unknown {
  return error instanceof Error && turnsAway.test(error.message) ? notSent(error) : error;
}

/** Whether an error proves that nothing has reached Redis. */
export function provesNothingSent(code: string | undefined): boolean {
  return code === NOT_SENT || neverConnected.includes(code);
}
