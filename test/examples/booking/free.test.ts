import { expect, it } from 'vitest';
import { describeEachEngine } from '../../engines/describe-each-engine.ts';
import { booked, office, place, slotId } from './office.ts';

const DAY = '2026-03-02';

describeEachEngine('the free slots of a day', (engine) => {
  it('come page by page, in the order of their beginnings', async () => {
    const { process } = await office(engine);
    const service = process('p');
    for (const hour of [12, 9, 11, 10, 13]) await service.offer(place('r1', hour));
    await service.offer(place('r1', 24));
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await service.free(DAY, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.items.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined);
    const hours = (...all: number[]) => all.map((hour) => slotId('r1', hour));
    expect(pages.filter((page) => page.length > 0)).toEqual([hours(9, 10), hours(11, 12), hours(13)]);
  });

  it('show what is needed to choose one, and nothing of the fence', async () => {
    const { process } = await office(engine);
    const service = process('p');
    await service.offer(place('r1', 9));
    expect((await service.free(DAY)).items).toEqual([
      { id: slotId('r1', 9), ...place('r1', 9), status: 'free', freeOn: DAY },
    ]);
  });

  it('are an index that neither taken nor withdrawn slots are in', async () => {
    const { process, stored } = await office(engine);
    const service = process('p');
    for (const hour of [9, 10, 11, 12]) await service.offer(place('r1', hour));
    booked(await service.hold(slotId('r1', 9), 'ann'));
    await service.confirm(booked(await service.hold(slotId('r1', 10), 'ann')));
    expect(await service.withdraw(slotId('r1', 10))).toMatchObject({ value: { reason: 'condition' } });
    expect(await service.withdraw(slotId('r1', 11))).toMatchObject({ value: { ok: true } });
    // Read from the index itself: it is not the filter that hides them.
    expect(await stored('slots', 'free')).toMatchObject([{ id: { S: slotId('r1', 12) } }]);
    expect(await stored('slots')).toHaveLength(4);
    // Over a tombstone a slot can be offered again.
    await service.offer(place('r1', 11));
    expect(await stored('slots', 'free')).toHaveLength(2);
  });
});
