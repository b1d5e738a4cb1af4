import type { EventBatch } from '@spooled/contracts';
import type { SchedulerMetrics } from '../scheduler.config.js';

type JobMetrics = Pick<SchedulerMetrics, 'jobsFailed' | 'jobsRetried' | 'jobsDeadlettered'>;

/** Counts attempts that ended without their worker; what workers report is counted where they report it. */
export function countEndedAttempts(metrics: JobMetrics, batches: EventBatch[]): void {
  for (const event of batches.flatMap(({ events }) => events)) {
    if (event.type === 'JobFailed') metrics.jobsFailed.inc();
    if (event.type !== 'JobStatusChange' || event.data.old_status !== 'processing') continue;
    if (event.data.new_status === 'pending') metrics.jobsRetried.inc();
    if (event.data.new_status === 'deadletter') metrics.jobsDeadlettered.inc();
  }
}
