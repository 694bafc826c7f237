import type { Item } from '../../src/dynamo/attributes.ts';
import { fencingToken } from '../../src/fence/token.ts';
import type { FenceKind, Stamp } from '../../src/kernel.ts';

/** The stamp of everybody who writes here: token 42, its fifth request. */
export function stampOf(kind: FenceKind): Stamp {
  return { resource: 'r', token: fencingToken(42), holder: 'me', seq: 5, kind };
}

export const ourStamp: Item = { _fence: { N: '42' }, _fenceHolder: { S: 'me' }, _fenceSeq: { N: '5' } };
export const ourVersion: Item = { _fenceVersion: { S: '42.5.me' } };

/** What can be in the storage when that stamp arrives, and what THE admission condition says about it. */
export interface StoredState {
  readonly what: string;
  /** Without its key; undefined where nothing is stored. */
  readonly item: Item | undefined;
  /** Whether users see an item. */
  readonly live: boolean;
  /** Whether a stamp of this kind is admitted; otherwise, why not. */
  readonly lease: Admitted;
  readonly bare: Admitted;
}

type Admitted = true | 'applied' | 'superseded' | 'token-reused' | 'fenced' | 'corrupt';

const content = { v: { S: 'old' } };

function state(
  what: string,
  stamp: Item | undefined,
  lease: Admitted,
  bare: Admitted = lease,
  version: string | undefined = '40.1.earlier',
): StoredState {
  const live = version !== undefined;
  const fenced = live ? { ...content, ...stamp, _fenceVersion: { S: version } } : stamp;
  return { what, item: fenced, live, lease, bare };
}

const fence = (token: string, holder: string, seq: string): Item => ({
  _fence: { N: token },
  _fenceHolder: { S: holder },
  _fenceSeq: { N: seq },
});
const { _fenceHolder: _, ...withoutHolder } = fence('42', '', '9');

/** Every row of the table in src/dynamo/admission.ts, and the damage that an item may have taken. */
export const storedStates: readonly StoredState[] = [
  { what: 'nothing', item: undefined, live: false, lease: true, bare: true },
  { what: 'an item without a fence', item: content, live: true, lease: true, bare: true },
  { what: 'only a key, without a fence', item: {}, live: true, lease: true, bare: true },
  state('a smaller fence', fence('41', 'them', '9'), true),
  state('a smaller fence with fewer digits', fence('9', 'them', '9'), true),
  state('a smaller fence of the same holder', fence('41', 'me', '9'), true),
  state('a smaller fence, deleted', fence('41', 'them', '9'), true, true, undefined),
  state('our own earlier request', fence('42', 'me', '4'), true),
  state('our own earlier request, deleted', fence('42', 'me', '4'), true, true, undefined),
  state('our own earlier request, by half a number', fence('42', 'me', '4.5'), true),
  state('this very request', fence('42', 'me', '5'), 'applied', 'applied', '42.5.me'),
  state('this very request, a delete', fence('42', 'me', '5'), 'applied', 'applied', undefined),
  state(
    'this very request under our own later claim',
    fence('42', 'me', '6'),
    'applied',
    'applied',
    '42.5.me',
  ),
  state('this very request under a newer claim', fence('43', 'them', '1'), 'applied', 'applied', '42.5.me'),
  state('our own later request', fence('42', 'me', '6'), 'superseded'),
  state('our own later request, with more digits', fence('42', 'me', '10'), 'superseded'),
  state('another holder of our token', fence('42', 'them', '9'), 'token-reused', true),
  state('another holder of our token, deleted', fence('42', 'them', '1'), 'token-reused', true, undefined),
  state('our token without a holder', withoutHolder, 'token-reused', true),
  state(
    'our token, its holder no text',
    { ...withoutHolder, _fenceHolder: { N: '1' } },
    'token-reused',
    'corrupt',
  ),
  state('our token, its seq no number', { ...fence('42', 'me', '1'), _fenceSeq: { S: '1' } }, 'corrupt'),
  state('a larger fence', fence('43', 'them', '1'), 'fenced'),
  state('a larger fence of the same holder', fence('43', 'me', '1'), 'fenced'),
  state('a larger fence with more digits', fence('100', 'them', '1'), 'fenced'),
  state('a larger fence without a holder', { _fence: { N: '43' } }, 'fenced'),
  state('a larger fence, its holder no text', { _fence: { N: '43' }, _fenceHolder: { N: '1' } }, 'fenced'),
  state('a larger fence, deleted', fence('43', 'them', '1'), 'fenced', 'fenced', undefined),
  state('a fence that is text', { ...fence('1', 'them', '1'), _fence: { S: '9' } }, 'corrupt'),
  state('a fence that is null', { ...fence('1', 'them', '1'), _fence: { NULL: true } }, 'corrupt'),
  state('a fence that is text, without a holder', { _fence: { S: '42' } }, 'corrupt'),
  state('a fence larger than any token', fence('9007199254740993', 'them', '1'), 'corrupt'),
];
