/** Why a grant was not handed out: its answer came too late for what it grants. */
export class StaleGrant extends Error {
  override readonly name = 'StaleGrant';
  /** What to do, in a sentence. */
  readonly advice: string;

  constructor(grant: { readonly resource: string; readonly token: number }, tookMs: number, ttlMs: number) {
    super(
      `${grant.resource} was granted under token ${grant.token}, but the answer took ${Math.ceil(tookMs)} ms, more than half of its ttlMs of ${ttlMs}: too little was left to hand it out`,
    );
    this.advice = `Pass a ttlMs that is many times as long as a request takes; with ${ttlMs} it may never be granted in time.`;
  }
}
