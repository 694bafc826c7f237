import type { Term } from './term.ts';

/** Why a grant was not handed out: its answer came too late for what it grants, or it grants too little. */
export class StaleGrant extends Error {
  override readonly name = 'StaleGrant';
  /** What to do, in a sentence. */
  readonly advice: string;

  constructor(
    grant: { readonly resource: string; readonly token: number },
    { lastsMs, elapsed }: Term,
    ttlMs: number,
  ) {
    const cut = lastsMs < ttlMs / 2;
    const problem = cut
      ? `for ${Math.floor(lastsMs)} ms, less than half of its ttlMs of ${ttlMs}`
      : `but the answer took ${Math.ceil(elapsed())} ms, more than half of its ttlMs of ${ttlMs}`;
    super(
      `${grant.resource} was granted under token ${grant.token}, ${problem}: too little was left to hand it out`,
    );
    this.advice = cut
      ? `Pass a ttlMs of at most ${Math.floor(lastsMs)}, or let the source grant longer ones.`
      : `Pass a ttlMs that is many times as long as a request takes; with ${ttlMs} it may never be granted in time.`;
  }
}
