import { type Clock, systemClock } from '../fence/clock.ts';
import type { Random } from '../fence/random.ts';
import type { Answer } from './faults/fault.ts';
import { type ArmedRule, arm, type FaultRule } from './faults/rule.ts';
import { Traffic } from './faults/traffic.ts';
import { unlessAborted } from './faults/unless-aborted.ts';
import { requestAborted } from './faults/wire-errors.ts';
import { type WireRequest, wireRequest } from './faults/wire-request.ts';
import type { SdkRequest, SdkRequestHandler, SdkRequestOptions } from './request-handler.ts';
import { seededRandom } from './seeded-random.ts';
import { wrapHandler } from './wrap-handler.ts';

/** Time and chance of {@link faults}. */
export interface FaultsOptions {
  /** The clock of delays; default the system's. */
  readonly clock?: Clock;
  /** Decides about rules with a `probability`; default a fixed seed, so that a test fails every time or never. */
  readonly random?: Random;
}

/** One fault that happened. */
export interface FaultRecord {
  readonly request: WireRequest;
  /** As `dropResponse`. */
  readonly fault: string;
}

/** An SDK `requestHandler` with faults. */
export interface FaultyHandler extends SdkRequestHandler {
  /** What happened so far, in order. A test that relies on a fault asserts that it bit. */
  readonly log: readonly FaultRecord[];
  /** How often a fault happened; without a name, how often any did. */
  bites(fault?: string): number;
  /** Adds rules, before those that are there. What they count begins now. */
  add(...rules: readonly FaultRule[]): void;
  /** Drops all rules. What is held or kept for later stays so. */
  heal(): void;
  /** Resolves when nothing is on the wire any more: no request, no held one whose caller has left, no late copy. */
  idle(): Promise<void>;
}

/**
 * Puts faults on the wire of an AWS SDK client: what the network and the service do to a program sooner or
 * later, on purpose and repeatably. The client, its signing and its retries are real, and so is the engine behind.
 *
 * Every copy of a request is a request of its own here. The first rule that matches one decides about it;
 * requests that no rule matches pass untouched. A caller that gives up (AbortSignal) gets its `AbortError`
 * at once, and what is on the wire arrives nevertheless.
 *
 * @param handler what answers: `db.handler` of `startLocalDynamoDB()`, or any other `requestHandler`, such as
 * `new NodeHttpHandler()` for an engine over HTTP.
 * @param rules in order of precedence.
 * @returns a handler for `new DynamoDBClient({ requestHandler })`.
 * @example
 * const wire = faults(db.handler, [{ on: { op: 'UpdateItem', nth: 2 }, do: dropResponse() }]);
 * const client = db.client({ requestHandler: wire });
 * // … what is tested …
 * expect(wire.bites('dropResponse')).toBe(1);
 */
export function faults(
  handler: SdkRequestHandler,
  rules: readonly FaultRule[],
  { clock = systemClock, random = seededRandom(1) }: FaultsOptions = {},
): FaultyHandler {
  const traffic = new Traffic();
  const log: FaultRecord[] = [];
  let armed = rules.map(arm);
  let count = 0;

  async function handle(http: SdkRequest, options: SdkRequestOptions = {}): Promise<Answer> {
    const { abortSignal, ...rest } = options;
    const signal = abortSignal as AbortSignal | undefined;
    if (signal?.aborted === true) throw requestAborted(signal);
    count++;
    const request = wireRequest(http, count);
    const rule = strikingRule(armed, request, random);
    const { number } = request;
    if (rule === undefined) return traffic.track(number, traffic.keep(handler.handle(http, options)));

    const send = (copy: SdkRequest) => traffic.keep(handler.handle(copy, rest));
    const answer = rule.faults.reduceRight<(copy: SdkRequest) => Promise<Answer>>(
      (next, fault) => (copy) => {
        log.push({ request, fault: fault.name });
        return fault.inject({
          request,
          http: copy,
          clock,
          deliver: (instead = copy) => next(instead),
          passed: (requests) => traffic.passed(number, requests),
          keep: (work) => traffic.keep(work),
        });
      },
      send,
    );
    return unlessAborted(traffic.track(number, answer(http)), signal);
  }

  return {
    ...wrapHandler(handler, handle),
    log,
    bites: (fault) => log.filter((record) => fault === undefined || record.fault === fault).length,
    add(...more) {
      armed = [...more.map(arm), ...armed];
    },
    heal() {
      armed = [];
    },
    idle: () => traffic.idle(),
  };
}

// All rules look at all requests first: `nth` must not depend on which other rules there are.
function strikingRule(
  rules: readonly ArmedRule[],
  request: WireRequest,
  random: Random,
): ArmedRule | undefined {
  return rules.filter((rule) => rule.matches(request)).find((rule) => rule.strikes(random));
}
