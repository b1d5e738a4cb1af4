import { setImmediate as turn } from 'node:timers/promises';
import { ConcurrencyLimit } from './concurrency-limit.js';

const staying = new AbortController().signal;

/** Work that ends when told to. */
function pieces(limit: ConcurrencyLimit) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const begin = (i: number, gone = staying) =>
    limit.run(() => {
      begun.push(i);
      return new Promise<number>((resolve) => ends.push(() => resolve(i)));
    }, gone);
  return { begun, begin, endNext: () => ends.shift()!() };
}

describe('ConcurrencyLimit', () => {
  it('runs so many at a time, the others in their order, and refuses what would wait beyond its bound', async () => {
    const { begun, begin, endNext } = pieces(new ConcurrencyLimit('Registration', { running: 2, waiting: 2 }));
    const all = [1, 2, 3, 4].map((i) => begin(i));
    await expect(begin(5)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
    expect(begun).toEqual([1, 2]);
    endNext();
    expect(await all[0]).toBe(1);
    await turn();
    expect(begun).toEqual([1, 2, 3]);
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

  it('does not run what nobody waits for any more', async () => {
    const { begun, begin, endNext } = pieces(new ConcurrencyLimit('Registration', { running: 1, waiting: 9 }));
    const gone = new AbortController();
    const [first, second, third] = [begin(1), begin(2, gone.signal), begin(3)];
    gone.abort();
    await expect(second).rejects.toMatchObject({ status: 503 });
    endNext();
    await first;
    await turn();
    expect(begun).toEqual([1, 3]);
    endNext();
    await third;
    await expect(begin(4, gone.signal)).rejects.toMatchObject({ status: 503 });
  });

  it('gives the place on when work fails', async () => {
    const limit = new ConcurrencyLimit('Registration', { running: 1, waiting: 1 });
    await expect(limit.run(() => Promise.reject(new Error('no')), staying)).rejects.toThrow('no');
    expect(await limit.run(() => Promise.resolve('yes'), staying)).toBe('yes');
  });
});
