import { expect, it } from 'vitest';
import { FencingChecks } from '../../../infra/policy/fencing-checks.ts';

it.each<[string, unknown, string]>([
  ['an option that there is not', { ABAC: true }, 'ABAC'],
  ['one that is neither true nor false', { abac: 'yes' }, 'abac'],
  ['what is no object', true, 'options'],
  ['nothing at all', null, 'options'],
])('%s is refused', (_, options, path) => {
  expect(() => new FencingChecks(options as never)).toThrow(
    expect.objectContaining({ code: 'invalid-input', path }),
  );
});
