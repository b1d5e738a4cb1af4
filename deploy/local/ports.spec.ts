import { freePort, portRange } from './ports.js';

const portsOf = (worker: string, run: string): number[] => {
  const { from, to } = portRange(worker, run);
  return Array.from({ length: to - from }, (_, index) => from + index);
};

describe('the ports of test workers', () => {
  it('are never shared by two workers, and are enough for a spec with many servers', () => {
    const all = ['0', '1', '2', '3'].flatMap((run) =>
      Array.from({ length: 8 }, (_, index) => portsOf(String(index + 1), run)),
    );
    expect(new Set(all.flat()).size).toBe(all.flat().length);
    expect(all.filter((ports) => ports.length < 300)).toEqual([]);
  });

  it('are what a spec gets, and each one once', async () => {
    const chosen = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(new Set(chosen).size).toBe(50);
    const own = portsOf(process.env.JEST_WORKER_ID!, process.env.SPOOLED_TEST_RUN!);
    expect(chosen.filter((port) => !own.includes(port))).toEqual([]);
  });
});
