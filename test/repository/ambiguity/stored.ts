import type { Fence } from '../../../src/index.ts';
import type { Item } from './scene.ts';

type Writer = Pick<Fence, 'token' | 'holder'>;

const id = { S: 'a' };

/** Who wrote the account before the tests do. */
export const before: Writer = { token: 40, holder: 'before' } as Writer;

/** What a write leaves beside content. */
export function stamp({ token, holder }: Writer, seq: number): Item {
  return { _fence: { N: `${token}` }, _fenceHolder: { S: holder }, _fenceSeq: { N: `${seq}` } };
}

/** The account, its content written by one request and its fence, perhaps, raised by a later one. */
export function live(content: Item, by: Writer, seq: number, raisedTo: Item = stamp(by, seq)): Item {
  return { id, ...content, ...raisedTo, _fenceVersion: { S: `${by.token}.${seq}.${by.holder}` } };
}

/** The account, deleted or never there, and fenced. */
export function tombstone(by: Writer, seq: number): Item {
  return { id, ...stamp(by, seq) };
}

export const balance = (n: number): Item => ({ balance: { N: `${n}` } });
