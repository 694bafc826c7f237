import type { Fence } from '../fence/fence.ts';

/** What a sequencer says, once its signature has proved that we said it. */
export interface SequencerClaims extends Pick<Fence, 'resource' | 'token' | 'holder'> {
  /** From when on it is refused, in ms since the epoch. */
  readonly expiresAtMs: number;
}
