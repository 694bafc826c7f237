import { describe, expect, it } from 'vitest';
import { callOptions, checkOptions, flag } from '../../src/fence/options.ts';
import { invalidInput } from '../dynamo/invalid-input.ts';

describe('options', () => {
  const checks = { ...callOptions, ifVersion: () => {}, upsert: flag };

  it('may be left out, as a whole and each', () => {
    expect(checkOptions(undefined, checks)).toEqual({});
    const given = { timeoutMs: 1, signal: undefined, upsert: false };
    expect(checkOptions(given, checks)).toBe(given);
  });

  it.each([null, 5, 'x', true, [], () => {}])('are an object, and not %o', (options) => {
    expect(() => checkOptions(options as unknown as object, checks, 'request')).toThrow(
      invalidInput('request', /no object of options.*timeoutMs, signal, ifVersion, upsert/),
    );
  });

  it('have no name that nobody reads', () => {
    expect(() => checkOptions({ ifversion: 'x' } as object, checks)).toThrow(
      invalidInput('ifversion', /no such option.*Did you mean ifVersion\?/),
    );
    expect(() => checkOptions({ constructor: 'x' } as object, checks)).toThrow(
      invalidInput('constructor', /no such option.*There are timeoutMs, signal/),
    );
  });

  it('are what they must be', () => {
    expect(() => checkOptions({ timeoutMs: '1' } as object, checks)).toThrow(
      invalidInput('timeoutMs', /length of time/),
    );
    expect(() => checkOptions({ signal: {} } as object, checks)).toThrow(
      invalidInput('signal', /no AbortSignal/),
    );
    expect(() => checkOptions({ upsert: 'yes' } as object, checks)).toThrow(
      invalidInput('upsert', /"yes" is neither true nor false/),
    );
  });
});
