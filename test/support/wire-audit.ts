/**
 * Watches every request that the library sends, in every test.
 *
 * You get it without doing anything: the clients of `describeEachEngine` (`engine.client()`) are audited, with
 * or without faults. A client that you make yourself is audited by `audit(client)`. The library's requests are
 * told from others on the same client by a header, so seeding and raw reads may use the client too.
 *
 * A request that breaks the rules of `check-sent-request.ts` (a write that is not conditional on a fence or a
 * lease's token, a DeleteItem, a BatchWriteItem, PartiQL, an inconsistent read, …) is not sent, and fails the
 * test even where somebody catches the error.
 *
 *     audit(client)                           audits what the library sends through it
 *     audit(client, { everything: true })     audits all that is sent through it, for the kernel's users
 *     auditNames({ fence: ['f'] })            in files whose tables have other names for the attributes
 *     sentByTheLibrary()                      how many requests were checked in this file so far, by operation
 */
import { appendFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, expect, inject } from 'vitest';
import {
  record,
  type SdkRequest,
  type SdkRequestHandler,
  type WireRequest,
} from '../../src/testing/index.ts';
import { defaultGuardedNames, faultOf, type GuardedNames } from './check-sent-request.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where each file adds the number of its requests; see wire-audit-summary.ts. */
    wireAuditFile: string;
  }
}

const counts: Record<string, number> = {};
let violations: string[] = [];
let names = defaultGuardedNames;

/** Audits a client from now on. Give it to the library as it is, or as a document client made from it. */
export function audit<C extends DynamoDBClient>(client: C, options: { everything?: boolean } = {}): C {
  const behind = client.config.requestHandler as SdkRequestHandler;
  const checked = record(behind, check);
  client.config.requestHandler = {
    ...checked,
    handle: (http: SdkRequest, sending) =>
      options.everything || isTheLibrarys(http)
        ? checked.handle(http, sending)
        : behind.handle(http, sending),
  } satisfies SdkRequestHandler;
  return client;
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

function check(request: WireRequest): void {
  counts[request.op] = (counts[request.op] ?? 0) + 1;
  const fault = faultOf(request, names);
  if (fault === undefined) return;
  violations.push(`${fault}\n${JSON.stringify(request.input, undefined, 2)}`);
  throw new Error(`The library must not send this: ${fault}`);
}

// The library numbers its copies itself, and does not tell how many there will be; the SDK always does.
function isTheLibrarys({ headers }: SdkRequest): boolean {
  return /^attempt=\d+$/.test(headers['amz-sdk-request'] ?? '');
}

afterEach(() => {
  expect(takeViolations(), 'requests that the library must not send').toEqual([]);
});

afterAll(() => {
  const file = inject('wireAuditFile');
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(counts)}\n`);
});
