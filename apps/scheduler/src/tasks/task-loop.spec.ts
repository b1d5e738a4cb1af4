import { jest } from '@jest/globals';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Database } from '@spooled/data-access';
import { readSettings } from '@spooled/platform';
import type { DeadlineTask } from './scheduled-task.js';
import { intervalsOf, type TaskName, taskSettings } from './task-intervals.js';
import { TaskLoop } from './task-loop.js';
import type { TaskReport } from './task-report.js';

const name: TaskName = 'lease-recovery';
/** The shortest lease that a worker can ask for. */
const leaseMs = 5_000;

describe('KF-23 a task with a deadline, at its default intervals', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Milliseconds from the deadline to the run, for a deadline that is set `phaseMs` after the start. */
  async function delayOf(phaseMs: number): Promise<number> {
    let deadline: number | null = null;
    const runs: number[] = [];
    const task: DeadlineTask = {
      name,
      fullBatch: 100,
      run: () => Promise.resolve(0),
      msUntilDue: () => Promise.resolve(deadline && deadline - performance.now()),
    };
    const report = {
      measure: () => {
        runs.push(performance.now());
        deadline = null;
        return Promise.resolve(0);
      },
      succeeded: () => undefined,
      failed: (_task: unknown, _at: number, error: unknown) => {
        throw error;
      },
    } as unknown as TaskReport;
    const intervals = intervalsOf(name, readSettings(taskSettings, {}));
    const timers = new SchedulerRegistry();
    const loop = new TaskLoop(task, intervals, { db: {} as Database, timers, report, random: () => 0.5 });
    loop.start();
    await jest.advanceTimersByTimeAsync(3_000 + phaseMs);
    runs.length = 0;
    const end = performance.now() + leaseMs;
    deadline = end;
    // Until long before the next sweep.
    await jest.advanceTimersByTimeAsync(15_000);
    await loop.stop();
    return runs.length === 0 ? Infinity : runs[0]! - end;
  }

  it('BX-02 runs in under a second after a lease has ended, whenever the lease began', async () => {
    for (let phaseMs = 0; phaseMs < 1_000; phaseMs += 90) {
      const delayMs = await delayOf(phaseMs);
      expect([phaseMs, delayMs >= 0 && delayMs < 1_000]).toEqual([phaseMs, true]);
    }
  });
});
