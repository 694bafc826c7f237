import { able } from './options.ts';

const advice = 'Pass a Clock, as manualClock() of the test kit, or none for that of this machine.';

/** The check of a clock that is waited on. */
export const checkClock = able(['now', 'elapsed', 'after'], advice);

/** The check of a clock that is only read. */
export const checkWallClock = able(['now'], advice);

/** The check of a source of randomness. */
export const checkRandom = able(
  ['unit', 'nonce'],
  'Pass a Random, as seededRandom() of the test kit, or none for that of this machine.',
);
