import { defaultGuardedNames, faultOf, type SentRequest } from './check-sent-request.mjs';

type Auditor = (request: SentRequest) => void;

let auditor: Auditor = (request) => {
  const fault = faultOf(request, defaultGuardedNames);
  if (fault !== undefined) throw new Error(`The library must not send this: ${fault}`);
};

/** Lets somebody who counts and reports look at the requests of simulations, as the tests' audit does. */
export function setAuditor(next: Auditor): void {
  auditor = next;
}

/** For what stands in for a client of the SDK. @throws where the library may not send the request. */
export function auditSimulated(request: SentRequest): void {
  auditor(request);
}
