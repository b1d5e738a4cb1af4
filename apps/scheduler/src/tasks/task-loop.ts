import type { SchedulerRegistry } from '@nestjs/schedule';
import { type Database, runAlone } from '@spooled/data-access';
import type { ArmedDuty, Duty } from './scheduled-task.js';
import type { DutyReport } from './task-report.js';

export interface DutyTools {
  db: Database;
  timers: SchedulerRegistry;
  report: DutyReport;
  /** Even numbers in [0, 1). */
  random: () => number;
}

/** Armed duties look at the same moments, whatever they did meanwhile, so that one statement can answer all of them. */
const msToNextLook = (intervalMs: number): number => intervalMs - (performance.now() % intervalMs);

/** While nothing waits at all. Still shorter than any lease (5 s and more), so that none begins and ends between two looks. */
const restingLooks = 2;

const firstRetryMs = 250;
const longestRetryMs = 30_000;

/** Runs one duty over and over, until stopped. Each round is over before the next is planned. */
export class DutyLoop {
  private readonly stopping = new AbortController();
  private turning: Promise<void> = Promise.resolve();
  private failures = 0;
  private lastRun = -Infinity;

  constructor(
    private readonly duty: Duty | ArmedDuty,
    private readonly tools: DutyTools,
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
    this.tools.timers.addTimeout(this.duty.name, timer);
  }

  private cancelTimer(): void {
    const { timers } = this.tools;
    if (timers.doesExist('timeout', this.duty.name)) timers.deleteTimeout(this.duty.name);
  }

  /** Never rejects. */
  private async turn(): Promise<void> {
    const startedAt = performance.now();
    let waitMs: number;
    try {
      waitMs = await this.round();
      this.failures = 0;
      this.tools.report.worked(this.duty, startedAt);
    } catch (error) {
      waitMs = this.retryMs(this.failures++);
      this.tools.report.failed(this.duty, startedAt, error);
    }
    this.plan(waitMs);
  }

  /** Returns the pause before the next round. */
  private async round(): Promise<number> {
    const { duty } = this;
    const dueInMs = await this.msUntilDue();
    if (dueInMs === Infinity) return msToNextLook(restingLooks * duty.intervalMs);
    if (dueInMs > 0) return Math.min(Math.ceil(dueInMs) + 1, msToNextLook(duty.intervalMs));
    const done = await this.tools.report.measured(duty, () =>
      runAlone(this.tools.db, `duty ${duty.name}`, () => duty.run(this.stopping.signal)),
    );
    this.lastRun = performance.now();
    if (done !== null && done >= duty.fullBatch) return 0;
    // Replicas that started together drift apart, so that they do not meet at the lock each time.
    return duty.intervalMs * (0.75 + 0.5 * this.tools.random());
  }

  private async msUntilDue(): Promise<number> {
    const { duty } = this;
    if (!('msUntilDue' in duty)) return 0;
    if (performance.now() - this.lastRun >= duty.sweepMs) return 0;
    return (await duty.msUntilDue()) ?? Infinity;
  }

  /** Short at first, for most failures are a database that is just coming back; never slower than the duty itself by much. */
  private retryMs(failures: number): number {
    const longest = Math.min(Math.max(this.duty.intervalMs, 4 * firstRetryMs), longestRetryMs);
    return Math.min(firstRetryMs * 2 ** failures, longest) * (0.5 + 0.5 * this.tools.random());
  }
}
