import { checkClock, checkRandom } from '../fence/clock-option.ts';
import { anything, callOptions, type OptionChecks } from '../fence/options.ts';
import {
  type AcquireOptions,
  checkAbove,
  checkNoHeartbeat,
  checkTtl,
  checkWait,
  type GrantOptions,
  type LeaseManagerOptions,
  type RaiseOptions,
} from './lease-options.ts';
import type { TokenSource } from './token-source.ts';

/*
 * What the options of each call must be. What a manager is made of is checked where it is put to use.
 */
export const managerOptions: OptionChecks<LeaseManagerOptions<TokenSource>> = {
  source: anything,
  ttlMs: anything,
  holder: anything,
  heartbeat: anything,
  clock: checkClock,
  random: checkRandom,
};

export const grantOptions: OptionChecks<GrantOptions> = {
  ...callOptions,
  ttlMs: checkTtl,
  above: checkAbove,
  heartbeat: checkNoHeartbeat,
  data: anything,
};

export const acquireOptions: OptionChecks<AcquireOptions> = { ...grantOptions, waitMs: checkWait };

export const raiseOptions: OptionChecks<RaiseOptions> = { ...callOptions, above: anything };
