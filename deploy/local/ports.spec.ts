import { freePort, portRange } from './ports.js';

const portsOf = (worker: string): number[] => {
  const { from, to } = portRange(worker, process.ppid);
  return Array.from({ length: to - from }, (_, index) => from + index);
};

describe('the ports of test workers', () => {
  it('are never shared by two workers of a run, and are enough for a spec with many servers', () => {
    const workers = Array.from({ length: 32 }, (_, index) => String(index + 1));
    const all = workers.flatMap(portsOf);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length / workers.length).toBeGreaterThan(300);
  });

  it('are what a spec gets, and each one once', async () => {
    const chosen = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(new Set(chosen).size).toBe(50);
    const own = portsOf(process.env.JEST_WORKER_ID!);
    expect(chosen.filter((port) => !own.includes(port))).toEqual([]);
  });
});
