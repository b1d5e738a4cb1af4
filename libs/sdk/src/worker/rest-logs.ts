import type { Jobs } from '../resources/jobs.js';
import type { LeasedJob, LogLine, LogStore } from './work-source.js';

/** Logs of jobs over REST. */
export class RestLogs implements LogStore {
  constructor(
    private readonly jobs: Jobs,
    private readonly workerId: () => string,
  ) {}

  async append({ id, leaseId }: LeasedJob, lines: LogLine[]): Promise<void> {
    await this.jobs.reportLogs(id, { workerId: this.workerId(), leaseId, lines });
  }
}
