import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

describe('FairQueue', () => {
  const drain = <T>(queue: FairQueue<T>): T[] => {
    const taken: T[] = [];
    while (queue.size > 0) {
      expect(queue.peek()).toBe(queue.peek());
      taken.push(queue.take()!);
    }
    return taken;
  };

  it('BX-03 serves a quiet tenant after at most one item of each other tenant', () => {
    const queue = new FairQueue<string>();
    for (let i = 0; i < 5000; i++) queue.push('loud', `loud ${i}`);
    queue.push('quiet', 'quiet 0');
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['loud 0', 'quiet 0', 'loud 1']);
  });

  it('BX-03 tells which tenants have more than their share', () => {
    const queue = new FairQueue<number>();
    for (let i = 0; i < 5; i++) queue.push('loud', i);
    queue.push('quiet', 0);
    // Three of six items are the average of two tenants.
    expect(['loud', 'quiet', 'new'].map((tenant) => queue.isWithinShare(tenant, 0))).toEqual([false, true, true]);
    expect([5, 6].map((smallest) => queue.isWithinShare('loud', smallest))).toEqual([false, true]);
    queue.take('loud');
    queue.push('quiet', 1);
    queue.push('quiet', 2);
    expect(queue.isWithinShare('quiet', 0)).toBe(true);
    queue.push('loud', 5);
    queue.push('quiet', 3);
    expect([queue.size, queue.isWithinShare('quiet', 0)]).toEqual([9, true]);
    queue.push('loud', 6);
    queue.take('loud');
    // Four of nine, and five of nine.
    expect(['quiet', 'loud'].map((tenant) => queue.isWithinShare(tenant, 0))).toEqual([true, false]);
    queue.take('loud');
    // Four of eight are the average.
    expect(queue.isWithinShare('quiet', 0)).toBe(false);
  });

  it('serves the first tenant that is acceptable, and nobody else if it is empty', () => {
    const queue = new FairQueue<string>();
    expect([queue.peek(), queue.take(), queue.take('a'), queue.next, queue.size]).toEqual([
      ...[undefined, undefined, undefined, undefined],
      0,
    ]);
    for (const tenant of ['a', 'b', 'c']) queue.push(tenant, `of ${tenant}`);
    expect(queue.nextAmong((tenant) => tenant > 'a')).toBe('b');
    expect(queue.nextAmong(() => false)).toBeUndefined();
    expect([queue.peek(), queue.peek('b'), queue.peek('d'), queue.take('b'), queue.take('d')]).toEqual([
      ...['of a', 'of b', undefined, 'of b', undefined],
    ]);
    expect([queue.waiting(), queue.size]).toEqual([['a', 'c'], 2]);
  });

  it('loses nothing and keeps the order within each tenant', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean())), (steps) => {
        const queue = new FairQueue<{ tenant: string; n: number }>();
        const taken: { tenant: string; n: number }[] = [];
        steps.forEach(([tenant, alsoTake], n) => {
          queue.push(tenant, { tenant, n });
          if (alsoTake) taken.push(queue.take()!);
        });
        taken.push(...drain(queue));
        expect(taken.map(({ n }) => n).sort((a, b) => a - b)).toEqual(steps.map((_, n) => n));
        for (const tenant of ['a', 'b', 'c']) {
          const own = taken.filter((item) => item.tenant === tenant).map(({ n }) => n);
          expect(own).toEqual([...own].sort((a, b) => a - b));
        }
      }),
    );
  });
});
