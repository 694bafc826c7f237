import type { Row } from './storage.ts';

/** Whether users see an item. */
export function isLive(row: Row | undefined): boolean {
  return row !== undefined && (row._fenceVersion !== undefined || row._fence === undefined);
}

/** What content users see, as something to compare. */
export function contentOf(row: Row | undefined): string {
  return isLive(row) ? (row?._fenceVersion?.S ?? 'unfenced') : 'nothing';
}
