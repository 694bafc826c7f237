import { expect, it } from 'vitest';
import { tableNamesFrom, tableVariable } from '../../src/lambda/index.ts';

it.each([
  ['accounts', 'ACCOUNTS_TABLE'],
  ['auditLines', 'AUDIT_LINES_TABLE'],
  ['lines2', 'LINES2_TABLE'],
])('the table %s is in %s', (name, variable) => {
  expect(tableVariable(name)).toBe(variable);
});

// Two of them could become one variable, or none that a shell takes.
it.each(['', 'audit_lines', 'audit-lines', 'Lines', '2lines', 'é'])('refuses the name %j', (name) => {
  expect(() => tableVariable(name)).toThrow('cannot be part of an environment variable');
});

it('gives the names of tables', () => {
  const env = { LEASES_TABLE: 'l-1', AUDIT_LINES_TABLE: 'a-2', OTHER_TABLE: 'o-3' };
  expect(tableNamesFrom(['leases', 'auditLines'], env)).toEqual({ leases: 'l-1', auditLines: 'a-2' });
});

it('reads the environment of the process, unless it is told another', () => {
  process.env.NOBODYS_TABLE = 'n-1';
  try {
    expect(tableNamesFrom(['nobodys'])).toEqual({ nobodys: 'n-1' });
  } finally {
    delete process.env.NOBODYS_TABLE;
  }
});

it.each([{}, { LEASES_TABLE: '' }, { LEASES_TABLE: undefined }])('says which is missing in %j', (env) => {
  const error = expect.objectContaining({
    code: 'invalid-input',
    message: expect.stringContaining('Set LEASES_TABLE'),
  });
  expect(() => tableNamesFrom(['leases'], env)).toThrow(error);
});
