import { expect, it } from 'vitest';
import { LastSeen } from '../../src/lease/last-seen.ts';

it('remembers the largest token of each resource', () => {
  const seen = new LastSeen();
  for (const token of [41, 42, 40]) seen.note('a', token);
  seen.note('b', 7);
  expect(['a', 'b', 'c'].map((resource) => seen.get(resource))).toEqual([42, 7, 0]);
});

it('forgets those that were not met for longest', () => {
  const seen = new LastSeen(2);
  seen.note('a', 1);
  seen.note('b', 2);
  seen.note('a', 1);
  seen.note('c', 3);
  expect(['a', 'b', 'c'].map((resource) => seen.get(resource))).toEqual([1, 0, 3]);
});
