import { setImmediate as turn } from 'node:timers/promises';
import { ConcurrencyLimit } from './concurrency-limit.js';

const connected = new AbortController().signal;

/** Tasks that end on demand. */
function controlledTasks(limit: ConcurrencyLimit) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const begin = (i: number, disconnected = connected) =>
    limit.run(() => {
      started.push(i);
      return new Promise<number>((resolve) => ends.push(() => resolve(i)));
    }, disconnected);
  return { started, begin, endNext: () => ends.shift()!() };
}

describe('ConcurrencyLimit', () => {
  it('runs at most `running` tasks at a time, queues others in order, and rejects tasks beyond its limit', async () => {
    const { started, begin, endNext } = controlledTasks(
      new ConcurrencyLimit('Registration', { running: 2, waiting: 2 }),
    );
    const all = [1, 2, 3, 4].map((i) => begin(i));
    await expect(begin(5)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
    expect(started).toEqual([1, 2]);
    endNext();
    expect(await all[0]).toBe(1);
    await turn();
    expect(started).toEqual([1, 2, 3]);
    for (let left = 3; left > 0; left--) {
      endNext();
      await turn();
    }
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
    const later = begin(6);
    await turn();
    endNext();
    expect(await later).toBe(6);
  });

  it('does not run tasks whose caller has disconnected', async () => {
    const { started, begin, endNext } = controlledTasks(
      new ConcurrencyLimit('Registration', { running: 1, waiting: 9 }),
    );
    const disconnected = new AbortController();
    const [first, second, third] = [begin(1), begin(2, disconnected.signal), begin(3)];
    disconnected.abort();
    await expect(second).rejects.toMatchObject({ status: 503 });
    endNext();
    await first;
    await turn();
    expect(started).toEqual([1, 3]);
    endNext();
    await third;
    await expect(begin(4, disconnected.signal)).rejects.toMatchObject({ status: 503 });
  });

  it('starts the next task when a task fails', async () => {
    const limit = new ConcurrencyLimit('Registration', { running: 1, waiting: 1 });
    await expect(limit.run(() => Promise.reject(new Error('no')), connected)).rejects.toThrow('no');
    expect(await limit.run(() => Promise.resolve('yes'), connected)).toBe('yes');
  });
});
