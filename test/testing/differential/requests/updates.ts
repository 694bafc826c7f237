import { l, m, n, requestsTo, type Scenario, s } from '../request.ts';

const { put, update, get } = requestsTo('updates');

const base = {
  id: s('i'),
  count: n(10),
  list: l(n(1), n(2), n(3)),
  map: m({ a: n(1), deep: m({ b: s('x') }) }),
  tags: { SS: ['x', 'y'] },
  numbers: { NS: ['1', '2'] },
  text: s('hello'),
};

const names = { '#c': 'count', '#l': 'list', '#m': 'map', '#t': 'text' };

/** One update of the base item, which is put again before each, with the new image as the answer. */
const on = (title: string, expression: string, values?: Record<string, ReturnType<typeof s>>) => {
  const used = Object.entries(names).filter(([alias]) => expression.includes(alias));
  return [
    put(`${title} (before)`, base),
    update(title, 'i', {
      UpdateExpression: expression,
      ...(values ? { ExpressionAttributeValues: values } : {}),
      ...(used.length > 0 ? { ExpressionAttributeNames: Object.fromEntries(used) } : {}),
      ReturnValues: 'ALL_NEW',
    }),
  ];
};

export const updates: Scenario = {
  table: { tableName: 'updates', partitionKey: 'id' },
  requests: [
    ...on('SET: arithmetic', 'SET #c = #c - :n', { ':n': n('2.5') }),
    ...on('SET: swap', 'SET #c = #t, #t = #c'),
    ...on('SET: if_not_exists on what exists', 'SET #c = if_not_exists(#c, :n)', { ':n': n(1) }),
    ...on('SET: if_not_exists on what does not', 'SET fresh = if_not_exists(fresh, :n) + :n', { ':n': n(1) }),
    ...on('SET: list_append behind', 'SET #l = list_append(#l, :l)', { ':l': l(s('z')) }),
    ...on('SET: list_append before', 'SET #l = list_append(:l, #l)', { ':l': l(s('z')) }),
    ...on('SET: list_append to a number', 'SET #c = list_append(#c, :l)', { ':l': l(s('z')) }),
    ...on('SET: index inside', 'SET #l[1] = :n', { ':n': n(9) }),
    ...on('SET: index at the end', 'SET #l[3] = :n', { ':n': n(9) }),
    ...on('SET: index past the end', 'SET #l[9] = :n', { ':n': n(9) }),
    ...on('SET: nested', 'SET #m.deep.b = :n', { ':n': n(9) }),
    ...on('SET: nested new', 'SET #m.fresh = :n', { ':n': n(9) }),
    ...on('SET: below nothing', 'SET nope.x = :n', { ':n': n(9) }),
    ...on('SET: below a number', 'SET #c.x = :n', { ':n': n(9) }),
    ...on('SET: from nothing', 'SET a = nope'),
    ...on('SET: add to nothing', 'SET a = nope + :n', { ':n': n(1) }),
    ...on('SET: add to a text', 'SET #t = #t + :n', { ':n': n(1) }),
    ...on('SET: add a text', 'SET #c = #c + :s', { ':s': s('1') }),
    ...on('REMOVE: attribute', 'REMOVE #t'),
    ...on('REMOVE: attribute that is not there', 'REMOVE nope'),
    ...on('REMOVE: index', 'REMOVE #l[0]'),
    ...on('REMOVE: two indexes', 'REMOVE #l[0], #l[2]'),
    ...on('REMOVE: nested', 'REMOVE #m.deep.b'),
    ...on('REMOVE: below nothing', 'REMOVE nope.x'),
    ...on('ADD: number', 'ADD #c :n', { ':n': n(-3) }),
    ...on('ADD: to nothing', 'ADD fresh :n', { ':n': n(-3) }),
    ...on('ADD: to a set', 'ADD tags :set', { ':set': { SS: ['y', 'z'] } }),
    ...on('ADD: a set to nothing', 'ADD fresh :set', { ':set': { NS: ['1'] } }),
    ...on('ADD: number to a text', 'ADD #t :n', { ':n': n(1) }),
    ...on('ADD: numbers to texts', 'ADD tags :set', { ':set': { NS: ['1'] } }),
    ...on('ADD: a text', 'ADD fresh :s', { ':s': s('x') }),
    ...on('ADD: a list', 'ADD #l :l', { ':l': l(s('z')) }),
    ...on('DELETE: from a set', 'DELETE tags :set', { ':set': { SS: ['y', 'nope'] } }),
    ...on('DELETE: the whole set', 'DELETE tags :set', { ':set': { SS: ['x', 'y'] } }),
    ...on('DELETE: from nothing', 'DELETE nope :set', { ':set': { SS: ['x'] } }),
    ...on('DELETE: of another type', 'DELETE numbers :set', { ':set': { SS: ['1'] } }),
    ...on('DELETE: a number', 'DELETE #c :n', { ':n': n(1) }),
    ...on('all clauses, any order', 'REMOVE #t ADD #c :n DELETE tags :set SET fresh = :n', {
      ':n': n(1),
      ':set': { SS: ['x'] },
    }),
    ...on('clauses in lower case', 'set fresh = :n remove #t', { ':n': n(1) }),
    ...on('a clause twice', 'SET a = :n SET b = :n', { ':n': n(1) }),
    ...on('the same path twice', 'SET a = :n, a = :n', { ':n': n(1) }),
    ...on('overlapping paths', 'SET #m = :n, #m.a = :n', { ':n': n(1) }),
    ...on('an expression of 4,097 bytes', `SET ${'a'.repeat(4_088)} = :n`, { ':n': n(1) }),
    ...on('an expression of 4,096 bytes', `SET ${'a'.repeat(200)} = :n${' '.repeat(4_096 - 209)}`, {
      ':n': n(1),
    }),
    ...on('an underscore without alias', 'SET _fence = :n', { ':n': n(1) }),
    ...on('a reserved word without alias', 'SET token = :n', { ':n': n(1) }),
    ...on('an undefined value', 'SET a = :nope'),
    ...on('an unused value', 'SET a = :n', { ':n': n(1), ':unused': n(1) }),
    ...on('no sense', 'SET a b :n', { ':n': n(1) }),
    ...on('nothing at all', ''),
    update('an undefined name', 'i', { UpdateExpression: 'REMOVE #nope' }),
    update('an unused name', 'i', { UpdateExpression: 'REMOVE a', ExpressionAttributeNames: { '#u': 'u' } }),
    get('after all updates', 'i'),
  ],
};
