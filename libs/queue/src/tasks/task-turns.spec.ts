import { gate } from '@spooled/testing';
import { TaskTurns } from './task-turns.js';

describe('turns of tasks', () => {
  it('lets so many run at once, and the next ones in their order when one has ended or failed', async () => {
    const turns = new TaskTurns(2);
    const begun: number[] = [];
    const [starts, ends] = [[0, 1, 2, 3].map(() => gate()), [0, 1, 2, 3].map(() => gate())];
    const runs = ends.map(({ opened }, n) =>
      turns.run(async () => {
        begun.push(n);
        starts[n]!.open();
        await opened;
        if (n === 1) throw new Error('failed');
        return n;
      }),
    );
    const failed = expect(runs[1]).rejects.toThrow('failed');
    expect(begun).toEqual([0, 1]);
    ends[1]!.open();
    await failed;
    await starts[2]!.opened;
    expect(begun).toEqual([0, 1, 2]);
    for (const end of ends) end.open();
    expect(await Promise.all([runs[0], runs[2], runs[3]])).toEqual([0, 2, 3]);
    expect(begun).toEqual([0, 1, 2, 3]);
  });
});
