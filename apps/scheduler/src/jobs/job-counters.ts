import type { EventBatch } from '@spooled/contracts';
import type { SchedulerMetrics } from '../scheduler.config.js';

type JobMetrics = Pick<SchedulerMetrics, 'jobsFailed' | 'jobsRetried' | 'jobsDeadlettered'>;

/** Counts attempts that ended without their worker, retries that expired and replays; what requests do is counted where they are answered. */
export function countJobEvents(metrics: JobMetrics, batches: EventBatch[]): void {
  for (const event of batches.flatMap(({ events }) => events)) {
    if (event.type === 'JobFailed') metrics.jobsFailed.inc();
    if (event.type !== 'JobStatusChange') continue;
    const { old_status, new_status } = event.data;
    if (new_status === 'pending' && (old_status === 'processing' || old_status === 'deadletter'))
      metrics.jobsRetried.inc();
    if (new_status === 'deadletter') metrics.jobsDeadlettered.inc();
  }
}
