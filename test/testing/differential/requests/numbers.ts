import { n, type Request, requestsTo, type Scenario, s } from '../request.ts';

const { put, update, get } = requestsTo('numbers');

const digits38 = '9'.repeat(38);

const texts = [
  '0',
  '-0',
  '007',
  '1.50',
  '1e3',
  '1E+3',
  '1e-3',
  '-1.0e-10',
  '.5',
  '5.',
  '+5',
  ' 5',
  '5 ',
  '',
  'x',
  '1e',
  'NaN',
  'Infinity',
  '0x10',
  '1_000',
  '1,5',
  digits38,
  `${digits38}9`,
  `1${'0'.repeat(50)}`,
  `0.${'0'.repeat(50)}1`,
  '9.9999999999999999999999999999999999999e125',
  '1e125',
  '1e126',
  '-1e126',
  '1e-130',
  '1e-131',
  '0e500',
  '9007199254740993',
  '123456789012345678.12345678901234567890',
];

const stored = (text: string): Request[] => [
  put(`number ${JSON.stringify(text)}`, { id: s(`n${text}`), v: n(text) }),
  get(`number ${JSON.stringify(text)} read back`, `n${text}`),
];

const sum = (title: string, first: string, second: string): Request[] => [
  put(`${title} (first)`, { id: s(title), v: n(first) }),
  update(title, title, {
    UpdateExpression: 'ADD v :d',
    ExpressionAttributeValues: { ':d': n(second) },
    ReturnValues: 'ALL_NEW',
  }),
  update(`${title}, with SET`, title, {
    UpdateExpression: 'SET v = v - :d',
    ExpressionAttributeValues: { ':d': n(second) },
    ReturnValues: 'ALL_NEW',
  }),
];

export const numbers: Scenario = {
  table: { tableName: 'numbers', partitionKey: 'id' },
  requests: [
    ...texts.flatMap(stored),
    ...sum('sum: decimals are exact', '0.1', '0.2'),
    ...sum('sum: beyond 2^53', '9007199254740992', '1'),
    ...sum('sum: to zero', '5', '-5'),
    ...sum('sum: 38 nines and one', digits38, '1'),
    ...sum('sum: 39 digits', '1e38', '1'),
    ...sum('sum: overflow', '9e125', '9e125'),
    ...sum('sum: far apart', '1e40', '1e-40'),
    put('a set with the same number twice', { id: s('set'), v: { NS: ['1', '1.0'] } }),
    put('a set of numbers, one of them none', { id: s('set'), v: { NS: ['1', 'x'] } }),
    put('a map with a number of 39 digits', { id: s('deep'), v: { M: { a: n(`${digits38}9`) } } }),
  ],
};
