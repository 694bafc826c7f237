// node --import …: audits what the library sends in this process, and in those that it starts. A program of the
// examples knows nothing of it. Plain JavaScript, so that it can be put into any program, on any Node.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { auditFileVariable, writeDown } from './audit-file.mjs';
import { defaultGuardedNames, faultOf } from './check-sent-request.mjs';
import { watchClients } from './watch-clients.mjs';

const file = process.env[auditFileVariable];
if (file === undefined) throw new Error(`${auditFileVariable} names no file`);

// The program's own copy of the SDK, wherever it is installed.
const { DynamoDBClient } = createRequire(join(process.cwd(), 'program.js'))('@aws-sdk/client-dynamodb');

watchClients(
  DynamoDBClient,
  (request) => {
    // At once, since a process may be killed.
    writeDown(file, { [request.op]: 1 });
    const fault = faultOf(request, defaultGuardedNames);
    if (fault === undefined) return;
    writeDown(file, { fault, program: process.argv[1] ?? 'node' });
    console.error(`The library must not send this: ${fault}`);
    throw new Error(`The library must not send this: ${fault}`);
  },
  { everything: process.env.WIRE_AUDIT_EVERYTHING !== undefined },
);
