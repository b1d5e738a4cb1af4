import { type Database, withAdvisoryLock } from '@spooled/data-access';
import type { Clock, Timer } from '@spooled/domain';
import type { DeadlineTask, ScheduledTask } from './scheduled-task.js';
import type { TaskInterval } from './task-intervals.js';

/** What happens to runs; for metrics and log lines. */
export interface TaskReporter {
  /** Measures one run; null = another process holds the lock. */
  measure(task: ScheduledTask, run: () => Promise<number | null>): Promise<number | null>;
  /** `startedAt` on the monotonic clock. */
  succeeded(task: ScheduledTask, startedAt: number): void;
  /** The run is repeated. */
  failed(task: ScheduledTask, startedAt: number, error: unknown): void;
}

export interface TaskContext {
  db: Database;
  report: TaskReporter;
  /** Uniform random numbers in [0, 1). */
  random: () => number;
  clock: Clock;
}

/**
 * Poll interval in multiples of `intervalMs` when nothing is waiting. Shorter than any lease (5 s and more), so that no
 * lease begins and expires between two polls.
 */
const idlePolls = 2;

const firstRetryMs = 250;
const longestRetryMs = 30_000;

/** One run; null = another process, or another part of this one, runs the task. */
export const runLocked = (db: Database, task: ScheduledTask, stopping: AbortSignal): Promise<number | null> =>
  withAdvisoryLock(db, `scheduled task ${task.name}`, () => task.run(stopping));

/** Runs one task repeatedly until stopped. A run ends before the next is scheduled. */
export class TaskLoop {
  private readonly stopping = new AbortController();
  private current: Promise<void> = Promise.resolve();
  private failures = 0;
  private lastRun = -Infinity;
  private timer: Timer | undefined;

  constructor(
    private readonly task: ScheduledTask | DeadlineTask,
    private readonly intervals: Omit<TaskInterval, 'what'>,
    private readonly context: TaskContext,
  ) {}

  /** The first run starts at once: after downtime there is the most to do. */
  start(): void {
    this.schedule(0);
  }

  /** Resolves when the current run, if any, has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.timer?.cancel();
    await this.current;
  }

  private schedule(waitMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = this.context.clock.after(waitMs, () => {
      this.current = this.runOnce();
    });
  }

  /** Deadline tasks poll at the same moments, so that one query serves all of them. */
  private msToNextPoll(intervalMs: number): number {
    return intervalMs - (this.context.clock.monotonic() % intervalMs);
  }

  /** Never rejects. */
  private async runOnce(): Promise<void> {
    const startedAt = this.context.clock.monotonic();
    let waitMs: number;
    try {
      waitMs = await this.runIfDue();
      this.failures = 0;
      this.context.report.succeeded(this.task, startedAt);
    } catch (error) {
      waitMs = this.retryMs(this.failures++);
      this.context.report.failed(this.task, startedAt, error);
    }
    this.schedule(waitMs);
  }

  /** Returns the pause before the next run. */
  private async runIfDue(): Promise<number> {
    const { task, intervals } = this;
    const dueInMs = await this.msUntilDue();
    if (dueInMs === Infinity) return this.msToNextPoll(idlePolls * intervals.intervalMs);
    if (dueInMs > 0) return Math.min(Math.ceil(dueInMs) + 1, this.msToNextPoll(intervals.intervalMs));
    const done = await this.context.report.measure(task, () => runLocked(this.context.db, task, this.stopping.signal));
    this.lastRun = this.context.clock.monotonic();
    if (done !== null && done >= task.fullBatch) return 0;
    // Jitter, so that replicas do not contend for the lock each time.
    return intervals.intervalMs * (0.75 + 0.5 * this.context.random());
  }

  private async msUntilDue(): Promise<number> {
    const { task } = this;
    if (!('msUntilDue' in task)) return 0;
    if (this.context.clock.monotonic() - this.lastRun >= (this.intervals.sweepMs ?? Infinity)) return 0;
    return (await task.msUntilDue()) ?? Infinity;
  }

  /** Short at first, because most failures are a database that is restarting; at most about the task's own interval. */
  private retryMs(failures: number): number {
    const longest = Math.min(Math.max(this.intervals.intervalMs, 4 * firstRetryMs), longestRetryMs);
    return Math.min(firstRetryMs * 2 ** failures, longest) * (0.5 + 0.5 * this.context.random());
  }
}
