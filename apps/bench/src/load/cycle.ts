import type { BenchStack } from '../stack/bench-stack.js';
import type { Window } from '../measure/window.js';
import type { Settings } from '../report.js';
import type { Scenario } from '../scenario.js';
import { reportRatio } from '../scenarios/floor.bench.js';
import { BacklogLimit } from './backlog-limit.js';

export const producers = 4;
export const workers = 8;
/** Jobs that producers may be ahead of workers. */
export const ahead = 4_000;

export interface Cycle {
  stack: BenchStack;
  window: Window;
  backlog: BacklogLimit;
  payloadBytes: number;
}

/** Producers that enqueue and workers that complete at the same time, compared with the floor. */
export function cycleScenario({
  settings,
  run,
  ...described
}: {
  name: string;
  what: string;
  /** Beside those of every cycle. */
  settings: Settings;
  run(cycle: Cycle): Promise<unknown>;
}): Scenario {
  return {
    ...described,
    againstFloor: true,
    settings: ({ payloadBytes }) => ({
      'payload bytes': payloadBytes,
      producers,
      ...settings,
      'producers ahead by at most': ahead,
    }),
    async run(bench) {
      const { stack, options, measure } = bench;
      const step = await measure({ name: 'whole cycle' }, async (window) => {
        const backlog = new BacklogLimit(ahead, window.signal);
        await run({ stack, window, backlog, payloadBytes: options.payloadBytes });
      });
      reportRatio(bench, step);
    },
  };
}
