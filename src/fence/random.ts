import { randomBytes } from 'node:crypto';

/** Randomness, as a parameter. */
export interface Random {
  /** A number in [0, 1), for jitter. */
  unit(): number;
  /** Text that nobody else will ever draw: tells one grant or one caller from every other. */
  nonce(): string;
}

/** Jitter from `Math.random`, nonces of 80 bits from the system's cryptographic generator. */
export const systemRandom: Random = {
  unit: () => Math.random(),
  nonce: () => randomBytes(10).toString('hex'),
};
