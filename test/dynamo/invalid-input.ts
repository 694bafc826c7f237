import { expect } from 'vitest';

/** Matches the error that refuses input at a path: `expect(…).toThrow(invalidInput('item.a', /empty/))`. */
export function invalidInput(path: string | RegExp, message: RegExp): unknown {
  return expect.objectContaining({
    name: 'InvalidInputError',
    code: 'invalid-input',
    path: typeof path === 'string' ? path : expect.stringMatching(path),
    message: expect.stringMatching(message),
  });
}
