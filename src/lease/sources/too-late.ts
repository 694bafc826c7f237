import type { Deadline } from '../../fence/deadline.ts';
import type { Undecided } from '../token-source.ts';

/** The answer of a call whose time is up before anything was sent. */
export function tooLate(deadline: Deadline): Undecided {
  return { is: 'undecided', applied: 'no', error: deadline.signal.reason };
}
