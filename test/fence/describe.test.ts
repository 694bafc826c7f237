import { expect, describe as group, it } from 'vitest';
import { describe } from '../../src/fence/describe.ts';
import { FencedRepository, type FencedRepositoryOptions, fence, parseFence } from '../../src/index.ts';
import { noWire } from '../support/no-wire.ts';

const nobody = Object.create(null) as object;

group('a value that was given', () => {
  it.each([
    ['a', '"a"'],
    [1.5, '1.5'],
    [1n, '1'],
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [nobody, 'a value of type object'],
    [Symbol('s'), 'a value of type symbol'],
    [() => 1, 'a value of type function'],
  ])('%o is told as %s', (value, told) => {
    expect(describe(value)).toBe(told);
  });

  it('is told in a line, however long it is', () => {
    expect(describe('x'.repeat(1_000_000)).length).toBeLessThan(100);
    expect(describe(10n ** 9_999n).length).toBeLessThan(100);
  });

  // None of these may end in a TypeError of the message itself.
  const accounts = (options: object = {}) =>
    new FencedRepository<{ id: string }, 'id'>({
      ...{ client: noWire, tableName: 'accounts', key: ['id'], resource: () => 'r' },
      ...(options as Partial<FencedRepositoryOptions<{ id: string }, 'id'>>),
    });
  const calls: Record<string, (value: never) => unknown> = {
    parseFence,
    'a token': (token) => fence('r', token),
    'a seq': (seq) => fence('r', 1, { holder: 'h', seq }),
    tableName: (tableName) => accounts({ tableName }),
    key: (name) => accounts({ key: [name] }),
    attributes: (name) => accounts({ attributes: { fence: name } }),
    resource: (name) => accounts({ resource: () => name }).claim(fence('r', 1), { id: 'a' }),
    limit: (limit) => accounts().scan({ limit }),
    segments: (segments) => accounts().scan({ segments }),
    ifVersion: (ifVersion) => accounts().put(fence('r', 1), { id: 'a' }, { ifVersion }),
    timeoutMs: (timeoutMs) => accounts().get({ id: 'a' }, { timeoutMs }),
  };
  group.each(Object.entries(calls))('as %s', (_, call) => {
    it.each([-1n, nobody, Symbol('s')])('%o is refused in words', async (value) => {
      const refused = (async () => call(value as never))();
      await expect(refused).rejects.toMatchObject({ code: 'invalid-input' });
    });
  });
});

it('a text that is no fence is told in a line', () => {
  expect(() => parseFence('x'.repeat(1_000_000))).toThrow(/^.{1,300}$/);
});
