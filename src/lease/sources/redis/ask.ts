import { abortable } from '../../../fence/abortable.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { CorruptFenceError, isFencingError, TokenExhaustedError } from '../../../fence/errors.ts';
import type { Undecided } from '../../token-source.ts';
import { tooLate } from '../too-late.ts';
import type { RedisConnection } from './connection.ts';
import { provesNothingSent } from './not-sent.ts';
import type { Places } from './places.ts';

/** What a script replies: one word for what happened, and what belongs to it. */
export interface Reply {
  readonly is: 'reply';
  readonly word: string;
  readonly rest: readonly (string | null)[];
}

/** A step, as a script and what it is told. */
export interface Step {
  readonly script: string;
  readonly args: readonly (string | undefined)[];
}

/**
 * Runs a script. Whatever leaves it undecided becomes an answer, because the manager decides how long to go on.
 *
 * @throws what will never succeed: CorruptFenceError, TokenExhaustedError, and what Redis refuses for good, as a missing permission.
 */
export async function ask(
  connection: RedisConnection,
  places: Places,
  resource: string,
  { script, args }: Step,
  deadline: Deadline,
): Promise<Reply | Undecided> {
  if (deadline.over) return tooLate(deadline);
  try {
    return await run(connection, places, resource, { script, args }, deadline.signal);
  } catch (error) {
    return outage(error);
  }
}

/** The same, without an answer for outages. */
export async function run(
  connection: RedisConnection,
  { token, grant }: Places,
  resource: string,
  { script, args }: Step,
  signal: AbortSignal,
): Promise<Reply> {
  const given = args.filter((arg) => arg !== undefined);
  const reply = await abortable(connection.run(script, [token, grant], given), signal);
  if (!isWords(reply)) throw new CorruptFenceError(`Redis answered ${resource} with something unheard of.`);
  const [word, ...rest] = reply;
  if (word === 'exhausted') throw new TokenExhaustedError(resource);
  if (word === 'corrupt') {
    throw new CorruptFenceError(
      `What Redis keeps of ${resource}, in ${token} and ${grant}, holds ${JSON.stringify(rest[0])} for a token.`,
    );
  }
  return { is: 'reply', word, rest };
}

function isWords(reply: unknown): reply is [string, ...(string | null)[]] {
  return Array.isArray(reply) && typeof reply[0] === 'string';
}

/** Redis did not run the script, but may do so later. */
const forNow =
  /^(READONLY|LOADING|BUSY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|OOM|MISCONF|NOREPLICAS|ERR max number of clients) ?/;
/** Redis answered: its errors begin with a word in capitals, those of clients and sockets do not. */
const answered = /^[A-Z]{3,} /;

/** What Redis 5 and 6 put before an error that comes from within a script. */
const fromWithin = /^ERR Error running script .*?: (?:@user_script: ?\d+: )+-?/s;

/** @throws the error where it is no outage. */
function outage(error: unknown): Undecided {
  const { message: said = '', code } = (error ?? {}) as { readonly message?: string; readonly code?: string };
  const message = said.replace(fromWithin, '');
  if (forNow.test(message) || provesNothingSent(code)) return { is: 'undecided', applied: 'no', error };
  if (isFencingError(error) || answered.test(message)) throw error;
  return { is: 'undecided', applied: 'unknown', error };
}
