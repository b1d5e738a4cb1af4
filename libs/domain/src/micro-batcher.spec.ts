import { setImmediate as nextTurn } from 'node:timers/promises';
import { MicroBatcher } from './micro-batcher.js';

describe('a micro-batcher', () => {
  it('processes the items of one turn of the event loop as one batch, in order', async () => {
    const batches: number[][] = [];
    const batcher = new MicroBatcher<number>((batch) => batches.push(batch));
    batcher.add(1);
    await Promise.resolve();
    batcher.add(2);
    expect(batches).toEqual([]);
    await nextTurn();
    batcher.add(3);
    await nextTurn();
    expect(batches).toEqual([[1, 2], [3]]);
  });

  it('processes pending items when flushed, and never an empty batch', async () => {
    const batches: number[][] = [];
    const batcher = new MicroBatcher<number>((batch) => batches.push(batch));
    batcher.flush();
    batcher.add(1);
    batcher.flush();
    await nextTurn();
    expect(batches).toEqual([[1]]);
  });
});
