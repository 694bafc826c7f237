import { isFencingError } from '../../src/fence/errors.ts';

/** What a caller was told, in one word or a few: of a result, or of an error that was caught. */
export function tell(result: unknown): string {
  if (isFencingError(result)) return result.code;
  const { ok, reason, applied } = result as Record<string, unknown>;
  if (ok === true) return 'ok';
  if (typeof reason !== 'string') return String(result);
  return applied === 'unknown' ? `${reason}, perhaps applied` : reason;
}

/** Whether that means that the write was not applied, and never will be. */
export function saysNo(told: string): boolean {
  return told !== 'ok' && told !== 'outcome-unknown' && !told.endsWith('perhaps applied');
}
