import { SpooledError } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import type { SchedulerMetrics } from '../scheduler.config.js';
import type { Duty } from './duty.js';

/** What operators hear of the duties: metrics for each round, log lines when one begins to fail and when it works again. */
export class DutyReport {
  private readonly failing = new Set<string>();
  private databaseAway = false;

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
      if (done) this.metrics.dutyWork.inc({ duty: duty.name }, done);
      return done;
    } finally {
      end();
    }
  }

  worked(duty: Duty): void {
    if (this.failing.delete(duty.name)) this.logger.info({ duty: duty.name }, 'the duty works again');
    if (this.databaseAway) {
      this.databaseAway = false;
      this.logger.info({ dependency: 'PostgreSQL' }, 'PostgreSQL is back, all duties go on');
    }
  }

  failed(duty: Duty, err: unknown): void {
    this.metrics.dutyRounds.inc({ duty: duty.name, outcome: 'failed' });
    if (err instanceof SpooledError && err.status === 503) return this.outage(err);
    if (this.failing.has(duty.name)) return this.logger.debug({ duty: duty.name, err }, 'the duty failed again');
    this.failing.add(duty.name);
    this.logger.error({ duty: duty.name, err }, 'a duty failed; it is tried again until it works');
  }

  /** One line for all duties: they all fail for the same reason. */
  private outage(err: SpooledError): void {
    if (this.databaseAway) return;
    this.databaseAway = true;
    this.logger.warn({ dependency: 'PostgreSQL', err }, 'PostgreSQL is away: all duties wait for it');
  }
}
