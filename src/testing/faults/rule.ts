import type { Random } from '../../fence/random.ts';
import type { Fault } from './fault.ts';
import type { Operation, WireRequest } from './wire-request.ts';

/** Which requests. Everything that is given must hold; nothing given is every request. */
export interface RequestFilter {
  readonly op?: Operation | readonly Operation[];
  /** Looks into the request. */
  readonly where?: (request: WireRequest) => boolean;
  /** Only the nth of the requests that match the rest, from 1; or several of them. */
  readonly nth?: number | readonly number[];
}

/** What goes wrong, and when. */
export interface FaultRule {
  /** Default every request. */
  readonly on?: RequestFilter;
  /** The fault; of several, each is within the one before it: `[delay(20), dropResponse()]` waits, then loses the answer. */
  readonly do: Fault | readonly Fault[];
  /** How often it happens at most. Default as often as it matches. */
  readonly times?: number;
  /** How likely it happens to a request that matches, from 0 to 1. Default 1. */
  readonly probability?: number;
}

/** A rule in use: it counts what it has seen. */
export interface ArmedRule {
  readonly faults: readonly Fault[];
  /** Takes notice of a request. Every rule is shown every request, or `nth` would depend on the other rules. */
  matches(request: WireRequest): boolean;
  /** Whether it happens now, to a request that matches. */
  strikes(random: Random): boolean;
}

export function arm(rule: FaultRule): ArmedRule {
  const { on = {}, times = Number.POSITIVE_INFINITY, probability = 1 } = rule;
  if (!(probability >= 0 && probability <= 1))
    throw new RangeError(`probability ${probability}: from 0 to 1`);
  const ops: readonly string[] | undefined = on.op === undefined ? undefined : [on.op].flat();
  const places = on.nth === undefined ? undefined : [on.nth].flat();
  if (places?.some((nth) => !(nth >= 1))) throw new RangeError(`nth ${places}: counted from 1`);
  let seen = 0;
  let struck = 0;
  return {
    faults: [rule.do].flat(),
    matches(request) {
      if (ops?.includes(request.op) === false || on.where?.(request) === false) return false;
      seen++;
      return places?.includes(seen) ?? true;
    },
    strikes(random) {
      if (struck >= times || (probability < 1 && random.unit() >= probability)) return false;
      struck++;
      return true;
    },
  };
}
