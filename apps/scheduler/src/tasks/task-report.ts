import { SpooledError } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import type { SchedulerMetrics } from '../scheduler.config.js';
import type { Duty } from './scheduled-task.js';

/** What operators hear of the duties: metrics for each round, log lines when one begins to fail and when it works again. */
export class DutyReport {
  private readonly failing = new Set<string>();
  private database = { away: false, since: -Infinity };

  constructor(
    private readonly logger: AppLogger,
    private readonly metrics: SchedulerMetrics,
  ) {}

  /** Measures one round; null = another replica is at it. */
  async measured(duty: Duty, round: () => Promise<number | null>): Promise<number | null> {
    const end = this.metrics.dutyDuration.startTimer({ duty: duty.name });
    try {
      const done = await round();
      this.metrics.dutyRounds.inc({ duty: duty.name, outcome: done === null ? 'elsewhere' : 'done' });
      if (done) {
        this.metrics.dutyWork.inc({ duty: duty.name }, done);
        this.logger.debug({ duty: duty.name, done }, 'the duty had work');
      }
      return done;
    } finally {
      end();
    }
  }

  /** `startedAt` by the process's clock (`performance.now`). */
  worked(duty: Duty, startedAt: number): void {
    if (this.failing.delete(duty.name)) this.logger.info({ duty: duty.name }, 'the duty works again');
    if (this.databaseChanged(false, startedAt)) {
      this.logger.info({ dependency: 'PostgreSQL' }, 'PostgreSQL is back, all duties go on');
    }
  }

  failed(duty: Duty, startedAt: number, err: unknown): void {
    this.metrics.dutyRounds.inc({ duty: duty.name, outcome: 'failed' });
    if (err instanceof SpooledError && err.status === 503) return this.outage(startedAt, err);
    if (this.failing.has(duty.name)) return this.logger.debug({ duty: duty.name, err }, 'the duty failed again');
    this.failing.add(duty.name);
    this.logger.error({ duty: duty.name, err }, 'a duty failed; it is tried again until it works');
  }

  /** One line for all duties: they all fail for the same reason. */
  private outage(startedAt: number, err: SpooledError): void {
    if (!this.databaseChanged(true, startedAt)) return;
    this.logger.warn({ dependency: 'PostgreSQL', err }, 'PostgreSQL is away: all duties wait for it');
  }

  /** A round from before the last change says nothing about what is now. */
  private databaseChanged(away: boolean, startedAt: number): boolean {
    if (away === this.database.away || startedAt < this.database.since) return false;
    this.database = { away, since: performance.now() };
    return true;
  }
}
