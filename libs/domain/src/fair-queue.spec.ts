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
