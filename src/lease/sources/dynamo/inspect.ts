import type { Wire } from '../../../dynamo/client.ts';
import { decode } from '../../../dynamo/decode.ts';
import { own } from '../../../dynamo/own.ts';
import type { Deadline } from '../../../fence/deadline.ts';
import { isFencingError, UnavailableError } from '../../../fence/errors.ts';
import type { LeaseRecord } from '../../token-source.ts';
import { readRow } from './attempt.ts';
import { leaseRow } from './lease-row.ts';
import type { LeaseTable } from './lease-table.ts';

/** Shows a row: one consistent read, because an old copy of it would name the wrong holder. */
export async function inspect(
  wire: Wire,
  table: LeaseTable,
  resource: string,
  deadline: Deadline,
): Promise<LeaseRecord | undefined> {
  const read = await readRow(wire, table, resource, deadline);
  if (read.is === 'undecided') throw unreadable(resource, read.error, deadline);
  if (read.item === undefined) return undefined;
  const { token, grant } = leaseRow(read.item, resource, table);
  // A fraction that only another language can hold must not keep the operator from who holds the lease: it is shown as text.
  const data = own(read.item, table.names.data);
  return {
    resource,
    token,
    holder: grant?.holder,
    expiresAtMs: grant?.expiresAtMs,
    data: data === undefined ? undefined : decode(data, 'data', { numbers: (text) => text }),
  };
}

function unreadable(resource: string, cause: unknown, deadline: Deadline): unknown {
  if (deadline.abortedByCaller) return deadline.signal.reason;
  if (isFencingError(cause)) return cause;
  return new UnavailableError(`The lease row of ${resource} could not be read.`, {
    cause,
    advice: 'Call again, with a longer timeoutMs if it needs more time.',
  });
}
