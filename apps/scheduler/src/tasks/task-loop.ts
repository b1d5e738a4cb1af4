import type { SchedulerRegistry } from '@nestjs/schedule';
import { type Database, withAdvisoryLock } from '@spooled/data-access';
import type { DeadlineTask, ScheduledTask } from './scheduled-task.js';
import type { TaskReport } from './task-report.js';

export interface TaskContext {
  db: Database;
  timers: SchedulerRegistry;
  report: TaskReport;
  /** Even numbers in [0, 1). */
  random: () => number;
}

/** Armed tasks look at the same moments, whatever they did meanwhile, so that one statement can answer all of them. */
const msToNextLook = (intervalMs: number): number => intervalMs - (performance.now() % intervalMs);

/** While nothing waits at all. Still shorter than any lease (5 s and more), so that none begins and ends between two looks. */
const restingLooks = 2;

const firstRetryMs = 250;
const longestRetryMs = 30_000;

/** Runs one task over and over, until stopped. Each round is over before the next is planned. */
export class TaskLoop {
  private readonly stopping = new AbortController();
  private turning: Promise<void> = Promise.resolve();
  private failures = 0;
  private lastRun = -Infinity;

  constructor(
    private readonly task: ScheduledTask | DeadlineTask,
    private readonly tools: TaskContext,
  ) {}

  /** The first round comes at once: after a pause of the whole system there is most to do. */
  start(): void {
    this.plan(0);
  }

  /** Resolves when the round under way, if any, is over. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.cancelTimer();
    await this.turning;
  }

  private plan(waitMs: number): void {
    if (this.stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.cancelTimer();
      this.turning = this.turn();
    }, waitMs);
    this.tools.timers.addTimeout(this.task.name, timer);
  }

  private cancelTimer(): void {
    const { timers } = this.tools;
    if (timers.doesExist('timeout', this.task.name)) timers.deleteTimeout(this.task.name);
  }

  /** Never rejects. */
  private async turn(): Promise<void> {
    const startedAt = performance.now();
    let waitMs: number;
    try {
      waitMs = await this.round();
      this.failures = 0;
      this.tools.report.worked(this.task, startedAt);
    } catch (error) {
      waitMs = this.retryMs(this.failures++);
      this.tools.report.failed(this.task, startedAt, error);
    }
    this.plan(waitMs);
  }

  /** Returns the pause before the next round. */
  private async round(): Promise<number> {
    const { task } = this;
    const dueInMs = await this.msUntilDue();
    if (dueInMs === Infinity) return msToNextLook(restingLooks * task.intervalMs);
    if (dueInMs > 0) return Math.min(Math.ceil(dueInMs) + 1, msToNextLook(task.intervalMs));
    const done = await this.tools.report.measured(task, () =>
      withAdvisoryLock(this.tools.db, `scheduled task ${task.name}`, () => task.run(this.stopping.signal)),
    );
    this.lastRun = performance.now();
    if (done !== null && done >= task.fullBatch) return 0;
    // Replicas that started together drift apart, so that they do not meet at the lock each time.
    return task.intervalMs * (0.75 + 0.5 * this.tools.random());
  }

  private async msUntilDue(): Promise<number> {
    const { task } = this;
    if (!('msUntilDue' in task)) return 0;
    if (performance.now() - this.lastRun >= task.sweepMs) return 0;
    return (await task.msUntilDue()) ?? Infinity;
  }

  /** Short at first, for most failures are a database that is just coming back; never slower than the task itself by much. */
  private retryMs(failures: number): number {
    const longest = Math.min(Math.max(this.task.intervalMs, 4 * firstRetryMs), longestRetryMs);
    return Math.min(firstRetryMs * 2 ** failures, longest) * (0.5 + 0.5 * this.tools.random());
  }
}
