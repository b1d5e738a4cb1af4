import { IdleMemory } from './idle-memory.js';

/** After which of these minutes memory is released, counted from 1. */
async function releasesIn(utilizations: number[]): Promise<number[]> {
  const releases: number[] = [];
  let minute = 0;
  const release = () => Promise.resolve(void releases.push(minute));
  const memory = new IdleMemory(release, () => utilizations[minute++]!);
  for (const _ of utilizations) await memory.afterMinute();
  return releases;
}

const idle = (minutes: number): number[] => Array<number>(minutes).fill(0.004);

describe('IdleMemory', () => {
  it('releases what the start left once, after an idle minute', async () => {
    expect(await releasesIn(idle(20))).toEqual([1]);
  });

  it('releases once after a load, after five idle minutes', async () => {
    expect(await releasesIn([0.9, ...idle(12)])).toEqual([6]);
  });

  it('releases again after the next load', async () => {
    expect(await releasesIn([0.9, ...idle(6), 0.5, ...idle(6)])).toEqual([6, 13]);
  });

  it('does not while requests keep coming', async () => {
    expect(await releasesIn([0.9, ...idle(4), 0.03, ...idle(4), 0.03])).toEqual([]);
  });
});
