import { types } from 'node:util';

/**
 * JSON of what items hold: sets as lists, binary as base64, and integers that no JSON number holds exactly as text. The
 * write that is told of is done by now, so a value that JSON lacks must neither throw nor become `{}`.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return part.toString();
    if (types.isSet(part)) return [...part];
    return types.isUint8Array(part) ? Buffer.from(part).toString('base64') : part;
  });
}
