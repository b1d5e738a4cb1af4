import type { Database } from '@spooled/data-access';
import { readSettings } from '@spooled/platform';
import { type DeadlineTask, TaskLoop, type TaskName, type TaskReporter } from '@spooled/queue';
import { ManualClock } from '@spooled/testing';
import { intervalsOf, taskSettings } from './task-intervals.js';

const name: TaskName = 'lease-recovery';
/** The shortest lease that a worker can ask for. */
const leaseMs = 5_000;

describe('KF-23 a task with a deadline, at its default intervals', () => {
  let clock: ManualClock;
  beforeEach(() => (clock = new ManualClock()));
  afterEach(() => clock.assertIdle());

  /** Runs a loop during `test`; returns the times of its runs, which `test` may change. */
  async function whileRunning(
    msUntilDue: () => number | null,
    test: (runs: number[]) => Promise<void>,
  ): Promise<number[]> {
    const runs: number[] = [];
    const task: DeadlineTask = {
      name,
      fullBatch: 100,
      run: () => Promise.resolve(0),
      msUntilDue: () => Promise.resolve(msUntilDue()),
    };
    const report: TaskReporter = {
      measure: () => {
        runs.push(clock.monotonic());
        return Promise.resolve(0);
      },
      succeeded: () => undefined,
      failed: (_task: unknown, _at: number, error: unknown) => {
        throw error;
      },
    };
    const intervals = intervalsOf(name, readSettings(taskSettings, {}));
    const loop = new TaskLoop(task, intervals, { db: {} as Database, report, random: () => 0.5, clock });
    loop.start();
    await test(runs);
    await loop.stop();
    return runs;
  }

  /** Milliseconds from the deadline to the run, for a deadline that is set `phaseMs` after the start. */
  async function delayOf(phaseMs: number): Promise<number> {
    let deadline: number | null = null;
    let hasRun: () => boolean = () => false;
    const untilDue = () => (deadline === null || hasRun() ? null : deadline - clock.monotonic());
    const runs = await whileRunning(untilDue, async (runs) => {
      await clock.advance(3_000 + phaseMs);
      runs.length = 0;
      hasRun = () => runs.length > 0;
      deadline = clock.monotonic() + leaseMs;
      // Until long before the next sweep.
      await clock.advance(15_000);
    });
    return runs.length === 0 ? Infinity : runs[0]! - deadline!;
  }

  it('BX-02 runs in under a second after a lease has ended, whenever the lease began', async () => {
    for (let phaseMs = 0; phaseMs < 1_000; phaseMs += 90) {
      const delayMs = await delayOf(phaseMs);
      expect([phaseMs, delayMs >= 0 && delayMs < 1_000]).toEqual([phaseMs, true]);
    }
  });

  it('SP-42 runs every 30 s without any known deadline', async () => {
    const runs = await whileRunning(
      () => null,
      () => clock.advance(100_000),
    );
    const pauses = runs.slice(1).map((at, i) => at - runs[i]!);
    expect(pauses).toHaveLength(3);
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(30_000);
      expect(pause).toBeLessThan(31_500);
    }
  });
});

it.each<[promises: string, task: TaskName, kind: 'intervalMs' | 'sweepMs', seconds: number]>([
  ['SP-42', 'lease-recovery', 'sweepMs', 30],
  ['SP-31', 'due-jobs', 'sweepMs', 5],
  ['SP-32', 'cron', 'sweepMs', 10],
  ['SP-33', 'dependencies', 'intervalMs', 10],
  ['SP-34', 'gauges', 'intervalMs', 15],
  ['SP-35', 'stale-workers', 'intervalMs', 5],
])('%s by default %s has a %s of %d s', (_promises, task, kind, seconds) => {
  expect(intervalsOf(task, readSettings(taskSettings, {}))[kind]).toBe(seconds * 1000);
});
