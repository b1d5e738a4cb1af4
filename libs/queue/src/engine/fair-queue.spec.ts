import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

describe('TurnQueue', () => {
  const drain = <T>(queue: FairQueue<T>): T[] => {
    const taken: T[] = [];
    while (queue.size > 0) {
      expect(queue.peek()).toBe(queue.peek());
      taken.push(queue.take()!);
    }
    return taken;
  };

  it('BX-03 lets a quiet party through after at most one item of each other', () => {
    const queue = new FairQueue<string>();
    for (let i = 0; i < 5000; i++) queue.push('loud', `loud ${i}`);
    queue.push('quiet', 'quiet 0');
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['loud 0', 'quiet 0', 'loud 1']);
  });

  it('loses nothing and keeps the order within each party', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean())), (steps) => {
        const queue = new FairQueue<{ party: string; n: number }>();
        const taken: { party: string; n: number }[] = [];
        steps.forEach(([party, alsoTake], n) => {
          queue.push(party, { party, n });
          if (alsoTake) taken.push(queue.take()!);
        });
        taken.push(...drain(queue));
        expect(taken.map(({ n }) => n).sort((a, b) => a - b)).toEqual(steps.map((_, n) => n));
        for (const party of ['a', 'b', 'c']) {
          const own = taken.filter((item) => item.party === party).map(({ n }) => n);
          expect(own).toEqual([...own].sort((a, b) => a - b));
        }
      }),
    );
  });
});
