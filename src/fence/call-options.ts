/** The bounds of one call. */
export interface CallOptions {
  /** How long the call may take in all: waiting for its turn, every copy of its request, every pause. In ms; default 10,000. */
  readonly timeoutMs?: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}
