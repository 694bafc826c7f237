import { describe, expect, it } from 'vitest';
import { readmeCommand } from '../../scripts/readme-command.mjs';

describe('the commands of the README', () => {
  it.each(['start', 'demo', 'test'])('%s is one line that also installs what it needs', (name) => {
    expect(readmeCommand(name)).toMatch(/^npm ci && npm (run )?\w+$/);
  });

  it.each([
    ['no marker', '```sh\nnpm test\n```\n'],
    ['two lines', '<!-- command: test -->\n```sh\nnpm ci\nnpm test\n```\n'],
    ['no block', '<!-- command: test -->\nText.\n'],
    ['another name', '<!-- command: tests -->\n```sh\nnpm test\n```\n'],
  ])('are refused where there are %s', (_, markdown) => {
    expect(() => readmeCommand('test', markdown)).toThrow('README.md needs one line of sh');
  });
});
