import { validationError } from './api-error.ts';
import type { Operation } from './context.ts';
import { dynaliteOperation } from './dynalite-operation.ts';

const inDynalite = dynaliteOperation('Scan');

/** Scan. dynalite takes `Segment: 0` for no segment, and would scan everything. */
export const scan: Operation = async (context, input) => {
  if (input.Segment !== undefined && input.TotalSegments === undefined) {
    throw validationError(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  }
  return inDynalite(context, input);
};
