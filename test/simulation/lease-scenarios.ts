import type { LeaseScenario } from './lease-world.ts';
import type { Row } from './storage.ts';

const held: Row = {
  resource: { S: 'r' },
  token: { N: '20005' },
  holder: { S: 'z/0' },
  expiresAtMs: { N: '40000' },
};
const free: Row = { resource: { S: 'r' }, token: { N: '90000' } };

/** Small casts around one lease row, by what they are about. */
export const leaseScenarios: Readonly<Record<string, LeaseScenario>> = {
  'two managers, nobody before': {
    start: undefined,
    programs: [['acquire', 'release'], ['acquire']],
    ticks: 0,
    copies: 2,
  },
  'two managers, a token ahead of the clock': {
    start: free,
    programs: [['acquire', 'release'], ['acquire']],
    ticks: 0,
    copies: 1,
  },
  'clocks apart and moving': {
    start: held,
    programs: [['acquire', 'renew'], ['acquire']],
    ahead: [0, 1],
    ticks: 1,
    copies: 1,
  },
  'renewals that arrive late': {
    start: undefined,
    programs: [['acquire', 'renew', 'renew']],
    ticks: 1,
    copies: 2,
  },
  'a take-over against a waiter': {
    start: held,
    programs: [['take over', 'renew'], ['acquire']],
    ahead: [0, 1],
    ticks: 0,
    copies: 2,
  },
  'an operator raises the counter under a holder': {
    start: held,
    programs: [['raise'], ['acquire', 'renew']],
    ahead: [0, 1],
    ticks: 0,
    copies: 2,
  },
  'three managers': {
    start: held,
    programs: [['acquire', 'release'], ['acquire'], ['acquire']],
    ahead: [1, 1, 1],
    ticks: 0,
    copies: 1,
  },
  'a take-over, a waiter and an operator': {
    start: held,
    programs: [['take over'], ['acquire'], ['raise']],
    ahead: [0, 1, 0],
    ticks: 0,
    copies: 1,
  },
};
