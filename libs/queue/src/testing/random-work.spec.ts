import { useEngine } from './job-lifecycle.fixture.js';
import { runRandomWork } from './random-work.fixture.js';

/** A seed takes 3 s; beside other work up to 30. One that is given up continues and moves the time of the next one. */
const timeoutMs = 180_000;

describe('concurrent callers whose answers are lost', () => {
  const fixture = useEngine();

  it.each([1, 2, 3, 4])(
    'break no promise of the queue (seed %i)',
    async (seed) => {
      expect(await runRandomWork(fixture, { seed })).toEqual([]);
    },
    timeoutMs,
  );
});
