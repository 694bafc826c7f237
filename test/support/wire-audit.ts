/**
 * Watches every request that the library sends, in every test: vitest runs this before each test file.
 *
 * Nobody asks for it, and nobody can do without: every client of the SDK in this process is watched, whoever makes
 * it, and so are those of every Node process that a test starts (audit-process.mjs): the examples, the demo and
 * its holders. The library's requests are told from others on the same client by a header, so seeding and raw
 * reads may use the client too.
 *
 * A request that breaks the rules of check-sent-request.mjs (a write that is not conditional on a fence or a
 * lease's token, a DeleteItem, a BatchWriteItem, PartiQL, an inconsistent read, …) is not sent, and fails the
 * test even where somebody catches the error.
 *
 *     watchEverything(client)                 of watch-clients.mjs: for the kernel's users, who send themselves
 *     auditNames({ fence: ['f'] })            in files whose tables have other names for the attributes
 *     auditSimulated(request)                 of simulated-requests.ts: for what stands in for a client of the SDK
 *     sentByTheLibrary()                      how many requests were checked in this file so far, by operation
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, expect, inject } from 'vitest';
import { writeDown } from './audit-file.mjs';
import { auditedEnv } from './audited-env.mjs';
import { defaultGuardedNames, faultOf, type GuardedNames, type SentRequest } from './check-sent-request.mjs';
import { setAuditor } from './simulated-requests.ts';
import { watchClients } from './watch-clients.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where each file adds the number of its requests; see wire-audit-summary.ts. */
    wireAuditFile: string;
  }
}

const counts: Record<string, number> = {};
let violations: string[] = [];
let names = defaultGuardedNames;

/** Counts a request of the library, and throws where it may not be sent. */
function auditRequest(request: SentRequest, countedAs = request.op): void {
  counts[countedAs] = (counts[countedAs] ?? 0) + 1;
  const fault = faultOf(request, names);
  if (fault === undefined) return;
  violations.push(`${fault}\n${JSON.stringify(request.input, undefined, 2)}`);
  throw new Error(`The library must not send this: ${fault}`);
}

/** Other names for the guarded attributes, beside the default ones, for the rest of this file. */
export function auditNames(more: Partial<GuardedNames>): void {
  names = {
    fence: [...names.fence, ...(more.fence ?? [])],
    token: [...names.token, ...(more.token ?? [])],
    holder: [...names.holder, ...(more.holder ?? [])],
  };
}

/** The requests that were checked so far in this file, by operation. */
export function sentByTheLibrary(): Readonly<Record<string, number>> {
  return { ...counts };
}

/** What was wrong since the last call. For the tests of the audit: whoever takes it answers for it. */
export function takeViolations(): readonly string[] {
  const taken = violations;
  violations = [];
  return taken;
}

watchClients(DynamoDBClient, auditRequest);
setAuditor((request) => auditRequest(request, 'simulated'));
Object.assign(process.env, auditedEnv(inject('wireAuditFile')));

afterEach(() => {
  expect(takeViolations(), 'requests that the library must not send').toEqual([]);
});

afterAll(() => {
  writeDown(inject('wireAuditFile'), counts);
});
