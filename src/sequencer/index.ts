/**
 * Sealed sequencers: fences that clients can carry and send back, and neither invent nor change.
 *
 * @module dynamodb-fenced/sequencer
 */

export type { RejectedEvent, RejectedReason } from '../fence/events.ts';
export type { SequencerKey } from './key.ts';
export {
  type OpenedSequencer,
  type OpenOptions,
  type SealOptions,
  type Sequencer,
  type SequencerOptions,
  sequencer,
} from './sequencer.ts';
