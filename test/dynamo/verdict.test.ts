import { describe, expect, it } from 'vitest';
import { defaultAttributes, type Item } from '../../src/dynamo/attributes.ts';
import { type Expectation, judge, sealSeq, type Verdict } from '../../src/dynamo/verdict.ts';
import type { Stamp } from '../../src/fence/session.ts';
import { fencingToken } from '../../src/fence/token.ts';

const lease: Stamp = { resource: 'r', token: fencingToken(42), holder: 'me', seq: 3, kind: 'lease' };
const bare: Stamp = { ...lease, kind: 'bare' };

const anything: Expectation = { live: 'any', ifVersion: undefined, conditional: false };
const mustExist: Expectation = { ...anything, live: 'must' };
const mustNotExist: Expectation = { ...anything, live: 'must-not' };
const conditional: Expectation = { ...anything, conditional: true };
const ifVersion = (version: string): Expectation => ({ ...anything, ifVersion: version });

/** An item under the stamp `token.seq.holder`, its content written by another stamp, or by the same, or gone. */
function item(stamp: string, version: string | undefined = stamp): Item {
  const [token, seq, holder] = stamp.split('/');
  return {
    id: { S: 'a' },
    _fence: { N: token ?? '' },
    _fenceSeq: { N: seq ?? '' },
    _fenceHolder: { S: holder ?? '' },
    ...(version === '' ? {} : { _fenceVersion: { S: version.replaceAll('/', '.') } }),
  };
}
const unfenced: Item = { id: { S: 'a' } };
const seen = (lastToken: number, lastHolder?: string) => ({ lastToken, lastHolder });

type Row = [what: string, is: object, met: Item | undefined, expects?: Expectation, stamp?: Stamp];

function check(rows: readonly Row[]): void {
  it.each(rows)('%s', (_, verdict, met, expects = anything, stamp = lease) => {
    expect(judge(stamp, met, expects, defaultAttributes)).toStrictEqual(verdict);
  });
}

const applied = (newer?: object) => ({ is: 'applied', newer });

describe('own traces come before everything else', () => {
  check([
    ['own stamp', applied(), item('42/3/me')],
    ['own stamp of a delete', applied(), item('42/3/me', '')],
    ['own stamp, where no item may be', applied(), item('42/3/me'), mustNotExist],
    ['own stamp, where another version must be', applied(), item('42/3/me'), ifVersion('41.1.x')],
    ['own stamp of a bare fence', applied(), item('42/3/me'), anything, bare],
    ['own content under a later claim of ours', applied(), item('42/4/me', '42/3/me')],
    ['own content under our own seal', applied(), item('42/3.5/me', '42/3/me')],
    ['own content under a newer holder', applied(seen(43, 'you')), item('43/1/you', '42/3/me')],
    ['own content under another holder of our token', applied(), item('42/1/you', '42/3/me')],
    ['own content under a damaged fence', applied(), { ...item('42/3/me'), _fence: { S: '42' } }],
    [
      'own content of a bare fence under a newer one',
      applied(seen(43, 'you')),
      item('43/1/you', '42/3/me'),
      anything,
      bare,
    ],
  ]);
});

describe('a fence that cannot be compared', () => {
  const corrupt = { is: 'corrupt' };
  const damaged = (attributes: Item) => ({ ...item('42/2/me'), ...attributes });
  check([
    ['text', corrupt, damaged({ _fence: { S: '41' } })],
    ['null', corrupt, damaged({ _fence: { NULL: true } })],
    ['a fraction', corrupt, damaged({ _fence: { N: '42.5' } })],
    ['negative', corrupt, damaged({ _fence: { N: '-1' } })],
    ['2^53', corrupt, damaged({ _fence: { N: '9007199254740992' } })],
    ['2^53 + 1', corrupt, damaged({ _fence: { N: '9007199254740993' } })],
    ['our own holder without a number', corrupt, damaged({ _fenceSeq: { S: '2' } })],
    ['our own holder with no number at all', corrupt, damaged({ _fenceSeq: { N: 'x' } })],
    [
      'a holder that is no text, to a bare fence',
      corrupt,
      damaged({ _fenceHolder: { N: '1' } }),
      anything,
      bare,
    ],
  ]);
});

describe('the fence comes before the content', () => {
  check([
    ['a newer token', { is: 'fenced', seen: seen(43, 'you') }, item('43/1/you'), conditional],
    ['a newer token, over nothing', { is: 'fenced', seen: seen(43, 'you') }, item('43/1/you', ''), mustExist],
    ['a newer token without a holder', { is: 'fenced', seen: seen(43) }, { _fence: { N: '43' } }],
    ['the largest token', { is: 'fenced', seen: seen(2 ** 53 - 1, 'you') }, item('9007199254740991/1/you')],
    [
      'our token, another holder',
      { is: 'token-reused', seen: seen(42, 'you') },
      item('42/1/you'),
      conditional,
    ],
    ['our token, no holder', { is: 'token-reused', seen: seen(42) }, { _fence: { N: '42' } }],
    [
      'our token, a later number of ours',
      { is: 'superseded', seen: seen(42, 'me') },
      item('42/4/me'),
      conditional,
    ],
    ['the same of a bare fence', { is: 'superseded', seen: seen(42, 'me') }, item('42/4/me'), anything, bare],
  ]);
});

describe('our own seal says that the refusal was final', () => {
  check([
    ['condition', { is: 'condition' }, item('42/3.5/me', '41/1/x'), conditional],
    ['exists', { is: 'exists' }, item('42/3.5/me', '41/1/x'), mustNotExist],
    ['not-found', { is: 'not-found' }, item('42/3.5/me', ''), mustExist],
    ['version', { is: 'version' }, item('42/3.5/me', '41/1/x'), ifVersion('41.2.x')],
    ['nothing to say', { is: 'superseded', seen: seen(42, 'me') }, item('42/3.5/me', ''), mustNotExist],
    [
      'the seal of another write',
      { is: 'superseded', seen: seen(42, 'me') },
      item('42/4.5/me', ''),
      mustExist,
    ],
  ]);

  it('stands between a write and the next', () => {
    expect(sealSeq({ seq: 3 })).toBe(3.5);
    expect(sealSeq({ seq: 2 ** 52 - 1 })).toBeGreaterThan(2 ** 52 - 1);
    expect(sealSeq({ seq: 2 ** 52 - 1 })).toBeLessThan(2 ** 52);
  });
});

describe('what the item is', () => {
  const older = item('41/1/x');
  check([
    ['absent where it must be', { is: 'not-found' }, undefined, mustExist],
    ['deleted where it must be', { is: 'not-found' }, item('41/1/x', ''), mustExist],
    ['absent under a condition', { is: 'not-found' }, undefined, conditional],
    ['absent where a version must be', { is: 'not-found' }, undefined, ifVersion('41.1.x')],
    ['there where it must not be', { is: 'exists' }, older, mustNotExist],
    ['never fenced where it must not be', { is: 'exists' }, unfenced, mustNotExist],
    ['of another version', { is: 'version' }, older, ifVersion('41.2.x')],
    ['fenced, where an unfenced one was meant', { is: 'version' }, older, ifVersion('unfenced')],
    [
      'of another version, which comes first',
      { is: 'version' },
      older,
      { ...conditional, ifVersion: '41.2.x' },
    ],
    ['of the right version', { is: 'condition' }, older, { ...conditional, ifVersion: '41.1.x' }],
    ['not as the condition wants it', { is: 'condition' }, older, conditional],
    ['never fenced, and not as the condition wants it', { is: 'condition' }, unfenced, conditional],
    ['acceptable', { is: 'unexplained' }, older],
    ['acceptable: there', { is: 'unexplained' }, older, mustExist],
    ['acceptable: absent', { is: 'unexplained' }, undefined, mustNotExist],
    ['acceptable: nothing asked', { is: 'unexplained' }, undefined],
    ['acceptable: an earlier number of ours', { is: 'unexplained' }, item('42/2/me')],
    [
      'acceptable to a bare fence: its token from others',
      { is: 'unexplained' },
      item('42/9/you'),
      anything,
      bare,
    ],
    [
      'acceptable to a bare fence: its token from nobody',
      { is: 'unexplained' },
      { _fence: { N: '42' }, _fenceVersion: { S: 'x' } },
      ...([anything, bare] as const),
    ],
  ]);

  it('never fenced, where that is refused', () => {
    const strict = (met: Item | undefined): Verdict =>
      judge(lease, met, mustExist, defaultAttributes, 'refuse');
    expect(strict(unfenced)).toEqual({ is: 'unfenced' });
    expect(strict(undefined)).toEqual({ is: 'not-found' });
    expect(strict(older)).toEqual({ is: 'unexplained' });
  });

  it('under other names', () => {
    const names = { fence: 'f', holder: 'h', seq: 's', version: 'v' };
    const other = { f: { N: '43' }, h: { S: 'you' }, _fence: { N: '1' } };
    expect(judge(lease, other, anything, names)).toEqual({ is: 'fenced', seen: seen(43, 'you') });
  });
});
