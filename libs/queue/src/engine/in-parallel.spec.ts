import { inParallel } from './in-parallel.js';

/** Runs the items; each call waits until the test lets it go. */
function started(items: number[], concurrency: number) {
  const running: { item: number; finish: () => void }[] = [];
  const order: number[] = [];
  const all = inParallel(items, concurrency, (item) => {
    order.push(item);
    return new Promise<void>((finish) => running.push({ item, finish }));
  });
  const finish = async (item: number) => {
    running.find((one) => one.item === item)!.finish();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { all, order, finish };
}

describe('work in parallel', () => {
  it('runs in order, and as many at once as allowed', async () => {
    const { all, order, finish } = started([1, 2, 3, 4], 2);
    expect(order).toEqual([1, 2]);
    await finish(2);
    expect(order).toEqual([1, 2, 3]);
    await finish(1);
    expect(order).toEqual([1, 2, 3, 4]);
    await finish(4);
    let ended = false;
    void all.then(() => (ended = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    await finish(3);
    await all;
  });

  it('ends at once without items', async () => {
    const { all, order } = started([], 3);
    await all;
    expect(order).toEqual([]);
  });
});
