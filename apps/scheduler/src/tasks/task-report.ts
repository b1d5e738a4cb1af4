import { SpooledError } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import type { SchedulerMetrics } from '../scheduler.config.js';
import type { ScheduledTask, TaskReporter } from '@spooled/queue';

/** Reports task runs: metrics for each, log lines when a task starts failing and when it recovers. */
export class TaskReport implements TaskReporter {
  private readonly failing = new Set<string>();
  private database = { unavailable: false, since: -Infinity };

  constructor(
    private readonly logger: AppLogger,
    private readonly metrics: SchedulerMetrics,
  ) {}

  /** Measures one run; null = another replica holds the lock. */
  async measure(task: ScheduledTask, run: () => Promise<number | null>): Promise<number | null> {
    const end = this.metrics.taskDuration.startTimer({ task: task.name });
    try {
      const done = await run();
      this.metrics.taskRuns.inc({ task: task.name, outcome: done === null ? 'lock_held' : 'completed' });
      if (done) {
        this.metrics.taskItems.inc({ task: task.name }, done);
        this.logger.debug({ task: task.name, done }, 'task processed items');
      }
      return done;
    } finally {
      end();
    }
  }

  /** `startedAt` by the process's clock (`performance.now`). */
  succeeded(task: ScheduledTask, startedAt: number): void {
    if (this.failing.delete(task.name)) this.logger.info({ task: task.name }, 'task recovered');
    if (this.databaseChanged(false, startedAt)) {
      this.logger.info({ dependency: 'PostgreSQL' }, 'PostgreSQL is available again; tasks resume');
    }
  }

  failed(task: ScheduledTask, startedAt: number, err: unknown): void {
    this.metrics.taskRuns.inc({ task: task.name, outcome: 'failed' });
    if (err instanceof SpooledError && err.status === 503) return this.outage(startedAt, err);
    if (this.failing.has(task.name)) return this.logger.debug({ task: task.name, err }, 'task failed again');
    this.failing.add(task.name);
    this.logger.error({ task: task.name, err }, 'task failed; retrying');
  }

  /** One line for all tasks: they all fail for the same reason. */
  private outage(startedAt: number, err: SpooledError): void {
    if (!this.databaseChanged(true, startedAt)) return;
    this.logger.warn({ dependency: 'PostgreSQL', err }, 'PostgreSQL is unavailable; all tasks are waiting for it');
  }

  /** Runs that started before the last change do not indicate the current state. */
  private databaseChanged(unavailable: boolean, startedAt: number): boolean {
    if (unavailable === this.database.unavailable || startedAt < this.database.since) return false;
    this.database = { unavailable, since: performance.now() };
    return true;
  }
}
