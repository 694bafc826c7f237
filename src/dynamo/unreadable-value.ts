import { FencingError } from '../fence/errors.ts';

/**
 * A stored value cannot be turned into a JavaScript value without losing something of it. Only the answer
 * cannot be read: what the request did stays done.
 */
export class UnreadableValueError extends FencingError {
  override readonly name = 'UnreadableValueError';
  /** Where in the item the value is, as `item.lines[2].price`. */
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(
      'unreadable-value',
      'final',
      `${path}: ${message} Only the answer cannot be read; what the request did stays done.`,
      options,
    );
    this.path = path;
  }
}
