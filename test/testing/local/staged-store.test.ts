import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BatchOperation, Item, Store } from '../../../src/testing/local/dynalite.ts';
import { loadDynalite } from '../../../src/testing/local/dynalite.ts';
import { stagedStore } from '../../../src/testing/local/staged-store.ts';

let store: Store;
beforeEach(async () => {
  store = loadDynalite().db.create({});
  await store.db.open();
});
afterEach(() => new Promise<void>((resolve) => store.db.close(() => resolve())));

function staging(lock: 'take' | 'held') {
  const seen = {
    read: [] as (Item | undefined)[],
    committed: [] as BatchOperation[][],
    failed: [] as unknown[],
  };
  const view = stagedStore(store, {
    lock,
    admit: () => {},
    read: (item) => void seen.read.push(item),
    commit: async (operations) => void seen.committed.push([...operations]),
    fail: (error) => void seen.failed.push(error),
  });
  return { view, seen };
}

const locked = () =>
  new Promise<() => void>((resolve) => {
    store.getItemDb('t').lock('k', (release) => resolve(release(() => {})));
  });

it('collects what an action writes, and hands it over with the item, in one piece', async () => {
  const { view, seen } = staging('held');
  const item = { id: { S: 'a' } };
  await new Promise<void>((resolve) => {
    view.getIndexDb('Global', 't', 'i').del('old', () => {
      view.getIndexDb('Local', 't', 'j').put('new', item, () => {
        expect(seen.committed).toEqual([]);
        view.getItemDb('t').put('k', item, () => resolve());
      });
    });
  });
  expect(seen.committed).toEqual([
    [
      { type: 'del', key: 'index-global~t~i~old' },
      { type: 'put', key: 'index-local~t~j~new', value: item },
      { type: 'put', key: 'item-t~k', value: item },
    ],
  ]);
});

it('takes the lock of the item, or trusts that it is held', async () => {
  const release = await locked();
  let taken = false;
  staging('held')
    .view.getItemDb('t')
    .lock('k', () => {
      taken = true;
    });
  expect(taken).toBe(true);
  taken = false;
  const done = new Promise<void>((resolve) => {
    staging('take')
      .view.getItemDb('t')
      .lock('k', (unlock) => {
        taken = true;
        unlock(() => resolve())();
      });
  });
  expect(taken).toBe(false);
  release();
  await done;
});

it('catches a defect inside an action, and gives its lock back', async () => {
  const { view, seen } = staging('take');
  const defect = new TypeError('undefined is no item');
  view.getItemDb('t').lock('k', () => {
    view.getItemDb('t').get('k', () => {
      throw defect;
    });
  });
  const release = await locked();
  release();
  expect(seen.failed).toEqual([defect]);
  expect(seen.read).toEqual([undefined]);
});
