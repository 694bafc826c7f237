import { createHmac } from 'node:crypto';
import { Writable } from 'node:stream';
import { Logger } from '@aws-lambda-powertools/logger';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { publish } from '../../src/fence/channel.ts';
import { fencingToken } from '../../src/fence/token.ts';
import { type FencingEvent, type LogLine, type LogOptions, logTo } from '../../src/observe/index.ts';
import { playIncident, REQUEST_MS, startMs, TTL_MS } from './incident.ts';

/** A logger that keeps its lines, with the level of each. */
function keeping() {
  const lines: (LogLine & { readonly level: string })[] = [];
  const at = (level: string) => (line: LogLine) => void lines.push({ ...line, level });
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { lines, logger };
}

/** The lines of one event. */
function logged(event: FencingEvent, options?: LogOptions) {
  const { lines, logger } = keeping();
  using _ = logTo(logger, options);
  publish(event);
  return lines;
}

const refusal: FencingEvent = {
  ...{ event: 'refusal', verb: 'put', reason: 'fenced', atMs: 1, resource: 'account/ann@example.com' },
  ...{ token: fencingToken(41), holder: 'A/1', lastToken: fencingToken(42), lastHolder: 'B/1' },
  ...{ applied: 'no', table: 'accounts', key: { id: 'ann@example.com' }, step: undefined },
  ...{ durationMs: 3.00049, attempts: 1, requestId: 'R1' },
};

it('the incident of the demo is in the log, field by field, and nothing of the items', async () => {
  const { lines, logger } = keeping();
  using _ = logTo(logger);
  const { a, b, again, balance } = await playIncident();
  const resource = 'account/a1';
  const ofA = { resource, token: a.token, holder: a.holder };
  const ofB = { resource, token: b.token, holder: b.holder };
  const ofAgain = { resource, token: again.token, holder: again.holder };
  const onItem = { table: 'accounts', key: { id: 'a1' }, attempts: 1, requestId: expect.stringMatching(/./) };
  const quick = { durationMs: REQUEST_MS, attempts: 1 };
  const waited = b.token - startMs;

  expect(balance).toBe('20');
  expect(waited).toBeGreaterThanOrEqual(TTL_MS);
  const info = { level: 'info' };
  const grant = (atMs: number, message: string) => ({
    ...info,
    message,
    event: message,
    verb: message,
    atMs,
  });
  const claim = {
    ...info,
    message: 'claim',
    event: 'claim',
    verb: 'claim',
    ...onItem,
    durationMs: REQUEST_MS,
  };
  const put = {
    ...info,
    message: 'write of put',
    event: 'write',
    verb: 'put',
    ...onItem,
    durationMs: REQUEST_MS,
  };
  // Each request takes its time, and names the moment at which it was sent.
  const sent = { acquire: 0, claim: 1, renew: 2, put: 3, release: 4 };
  const done = (token: number, step: keyof typeof sent) => token + (sent[step] + 1) * REQUEST_MS;
  const round = (who: typeof ofA, took: object = quick) => [
    { ...grant(done(who.token, 'acquire'), 'acquire'), ...who, expiresAtMs: who.token + TTL_MS, ...took },
    { ...claim, ...who, atMs: done(who.token, 'claim') },
    {
      ...{ ...grant(done(who.token, 'renew'), 'renew'), ...who, ...quick, renewedLate: false },
      expiresAtMs: done(who.token, 'claim') + TTL_MS,
    },
  ];
  const bLetGo = done(b.token, 'release');
  const late = bLetGo + 20;
  expect(lines).toEqual([
    ...round(ofA),
    {
      ...{
        ...info,
        message: 'wait of acquire',
        event: 'wait',
        verb: 'acquire',
        resource,
        holder: b.holder,
      },
      ...{ atMs: done(a.token, 'put'), lastToken: a.token, lastHolder: a.holder },
      expiresAtMs: done(a.token, 'claim') + TTL_MS,
    },
    ...round(ofB, {
      durationMs: done(b.token, 'acquire') - done(a.token, 'renew'),
      attempts: expect.any(Number),
    }),
    { ...put, ...ofB, atMs: done(b.token, 'put') },
    { ...grant(bLetGo, 'release'), ...ofB, ...quick },
    {
      ...{ level: 'warn', message: 'loss: lease-expired', event: 'loss', reason: 'lease-expired' },
      ...{ ...ofA, atMs: late },
    },
    {
      ...{
        level: 'warn',
        message: 'refusal of put: fenced',
        event: 'refusal',
        verb: 'put',
        reason: 'fenced',
      },
      ...{ ...ofA, atMs: late + REQUEST_MS, lastToken: b.token, lastHolder: b.holder, applied: 'no' },
      ...{ ...onItem, durationMs: REQUEST_MS },
    },
    { ...grant(late + 2 * REQUEST_MS, 'release'), ...ofA, ...quick },
    ...round(ofAgain),
    { ...put, ...ofAgain, atMs: done(again.token, 'put') },
    { ...grant(done(again.token, 'release'), 'release'), ...ofAgain, ...quick },
  ]);
  expect(JSON.stringify(lines)).not.toContain('balance');
});

describe('real loggers write the same fields', () => {
  it('pino', () => {
    const written: string[] = [];
    const stream = new Writable({
      write(chunk, _, done) {
        written.push(String(chunk));
        done();
      },
    });
    using _ = logTo(pino({ base: null }, stream));
    publish(refusal);
    const { level, time, ...line } = JSON.parse(written.join(''));
    expect(level).toBe(40);
    expect(time).toEqual(expect.any(Number));
    expect(line).toEqual(JSON.parse(JSON.stringify(omitLevel(logged(refusal)[0]))));
  });

  it('the Logger of Powertools', () => {
    const written: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const errors = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    try {
      using _ = logTo(new Logger({ serviceName: 'bank' }));
      publish(refusal);
    } finally {
      spy.mockRestore();
      errors.mockRestore();
    }
    const line = JSON.parse(written.join(''));
    expect(line).toMatchObject({ level: 'WARN', service: 'bank', ...omitLevel(logged(refusal)[0]) });
  });
});

function omitLevel({ level: _, ...line }: LogLine & { readonly level?: string } = {} as never) {
  return line;
}

describe('names', () => {
  it('are shown as they are, unless you say otherwise', () => {
    expect(logged(refusal)[0]).toMatchObject({
      ...{ resource: 'account/ann@example.com', key: { id: 'ann@example.com' }, durationMs: 3 },
    });
  });

  it('can be hashed: equal for equal ones', () => {
    const [line] = logged(refusal, { keys: 'hashed', resources: 'hashed' });
    const [other] = logged({ ...refusal, key: { id: 'bob@example.com' } } as FencingEvent, {
      keys: 'hashed',
    });
    expect(line).toMatchObject({
      resource: '899d8bfaf6b94b33',
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(line?.key).toEqual(logged(refusal, { keys: 'hashed' })[0]?.key);
    expect(line?.key).not.toEqual(other?.key);
    expect(JSON.stringify(line)).not.toContain('example.com');
  });

  it('can be left out', () => {
    const [line] = logged(refusal, { keys: 'omitted', resources: 'omitted' });
    expect(line).not.toHaveProperty('key');
    expect(line).not.toHaveProperty('resource');
    expect(line).toMatchObject({ event: 'refusal', token: 41, lastToken: 42 });
    expect(JSON.stringify(line)).not.toContain('example.com');
  });

  it('can be shown by a function, as one with a secret', () => {
    const keys = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex');
    const [line] = logged(refusal, { keys });
    expect(line?.key).toBe(keys('{"id":"ann@example.com"}'));
    expect(line?.resource).toBe(keys('account/ann@example.com'));
  });

  it.each<LogOptions>([
    { keys: 'hashed' },
    { resources: 'hashed' },
    { keys: 'omitted' },
    { resources: 'omitted' },
  ])('are not told by the field beside the one that hides them: %o', (options) => {
    expect(JSON.stringify(logged(refusal, options))).not.toContain('example.com');
  });

  it('can be shown in one field and hidden in the other, where you say both', () => {
    const [line] = logged(refusal, { keys: 'omitted', resources: 'plain' });
    expect(line).toMatchObject({ resource: 'account/ann@example.com' });
    expect(line).not.toHaveProperty('key');
  });

  it('of a rejected sequencer too', () => {
    const rejected: FencingEvent = {
      ...{ event: 'rejected', atMs: 1, reason: 'foreign', resource: 'account/ann@example.com' },
      ...{ sealedResource: 'account/eve@example.com', token: fencingToken(42), holder: 'E/1' },
    };
    const [line] = logged(rejected, { resources: 'hashed' });
    expect(line).toMatchObject({ level: 'warn', message: 'rejected: foreign', event: 'rejected' });
    expect(JSON.stringify(line)).not.toContain('example.com');
  });
});

describe('levels', () => {
  const of = (change: object) => logged({ ...refusal, ...change } as FencingEvent).map(({ level }) => level);

  it.each([
    ['error', { event: 'unknown', cause: 'TimeoutError' }],
    ['error', { event: 'failure', code: 'corrupt-fence' }],
    ['error', { reason: 'token-reused' }],
    ['warn', { reason: 'fenced' }],
    ['warn', { reason: 'contention' }],
    ['warn', { event: 'loss', reason: 'lost' }],
    ['info', { reason: 'held' }],
    ['info', { reason: 'condition' }],
    ['info', { event: 'write' }],
    ['info', { event: 'replay' }],
  ])('%s for %o', (level, change) => {
    expect(of(change)).toEqual([level]);
  });

  it('are what you say, and undefined is no line', () => {
    expect(logged(refusal, { level: () => 'debug' }).map(({ level }) => level)).toEqual(['debug']);
    expect(logged(refusal, { level: () => undefined })).toEqual([]);
  });
});

describe('what cannot log is refused', () => {
  it.each<[string, unknown, unknown]>([
    ['logger: undefined does not log', undefined, undefined],
    ['logger: ', { info() {} }, undefined],
    ['keys: "hash" is no way', keeping().logger, { keys: 'hash' }],
    ['level: ', keeping().logger, { level: 'info' }],
    ['hashed: there is no such option', keeping().logger, { hashed: true }],
  ])('%s', (message, logger, options) => {
    expect(() => logTo(logger as never, options as never)).toThrow(message);
  });
});
