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

describe('a task that is run each second', () => {
  let clock: ManualClock;
  beforeEach(() => (clock = new ManualClock()));
  afterEach(() => clock.assertIdle());

  type Run = () => Promise<number | null>;
  type LoopOptions = {
    random?: number;
    msUntilDue?: DeadlineTask['msUntilDue'];
    intervalMs?: number;
    sweepMs?: number;
  };

  /** A loop whose runs are `runs`, one after the other, and what it has reported. */
  function loopOf(runs: Run[], { random = 0.5, msUntilDue, ...intervals }: LoopOptions = {}) {
    const reports: unknown[] = [];
    const report: TaskReporter = {
      measure: () => runs.shift()!(),
      succeeded: (_, startedAt) => void reports.push(['succeeded', startedAt]),
      failed: (_, startedAt, error) => void reports.push(['failed', startedAt, error]),
    };
    const task = { name, fullBatch: 100, run: () => Promise.resolve(0), ...(msUntilDue && { msUntilDue }) };
    const context = { db: {} as Database, report, random: () => random, clock };
    const loop = new TaskLoop(task, { intervalMs: 1_000, ...intervals }, context);
    return { loop, reports };
  }
  const returns = (done: number | null) => () => Promise.resolve(done);
  const fails = (error: Error) => () => Promise.reject(error);

  /** Starts a loop; returns the pauses after so many runs. */
  async function pausesOf({ loop }: { loop: TaskLoop }, runs: number): Promise<number[]> {
    const pauses: number[] = [];
    loop.start();
    for (let n = 0; n < runs; n++) {
      await clock.advance(clock.timers[0]!);
      pauses.push(clock.timers[0]!);
    }
    await loop.stop();
    return pauses;
  }

  it('is run again at once after a full batch, and else in about its interval', async () => {
    // A timer is never due at once.
    expect(await pausesOf(loopOf([100, 101, 99, null].map(returns)), 4)).toEqual([1, 1, 1_000, 1_000]);
    expect(await pausesOf(loopOf([returns(0)], { random: 0 }), 1)).toEqual([750]);
    expect(await pausesOf(loopOf([returns(0)], { random: 1 }), 1)).toEqual([1_250]);
  });

  it('is run again soon after a failure, later after each further one, and is reported each time', async () => {
    const error = new Error('no connection');
    const started = clock.monotonic() + 1;
    const failing = loopOf([fails(error), fails(error), fails(error), fails(error), returns(0), fails(error)]);
    expect(await pausesOf(failing, 6)).toEqual([187.5, 375, 750, 750, 1_000, 187.5]);
    const times = [0, 187.5, 562.5, 1_312.5, 2_062.5, 3_062.5].map((ms) => started + ms);
    expect(failing.reports).toEqual(times.map((at, n) => (n === 4 ? ['succeeded', at] : ['failed', at, error])));
    const rare = loopOf(
      Array.from({ length: 9 }, () => fails(error)),
      { intervalMs: 300_000, random: 1 },
    );
    expect((await pausesOf(rare, 9)).slice(-3)).toEqual([16_000, 30_000, 30_000]);
    const frequent = loopOf(
      Array.from({ length: 4 }, () => fails(error)),
      { intervalMs: 100, random: 0 },
    );
    expect(await pausesOf(frequent, 4)).toEqual([125, 250, 500, 500]);
  });

  it('with a deadline is run right after it, else looked at when all tasks look, less often if there is none', async () => {
    const waits = [250.2, 10_000, null];
    const msUntilDue = () => Promise.resolve(waits.shift()!);
    const loop = loopOf([returns(0), returns(0)], { intervalMs: 500, sweepMs: 1_999, msUntilDue });
    // The first run is a sweep, and so is the last one.
    expect(await pausesOf(loop, 5)).toEqual([500, 252, 247, 1_000, 500]);
  });

  it('ends when its run has ended, and is not run again', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { loop } = loopOf([() => promise]);
    loop.start();
    await clock.advance(1);
    let stopped = false;
    const end = loop.stop().then(() => (stopped = true));
    await clock.advance(10_000);
    expect(stopped).toBe(false);
    resolve(100);
    await end;
    expect(clock.timers).toEqual([]);
    await loopOf([]).loop.stop();
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
