import { isOfLostLease } from '../http/errors.js';
import type { Jobs } from '../resources/jobs.js';
import type { Failure, LeasedJob } from './work-source.js';

/** A failure ends the lease, so when its answer is lost the next report is refused: the history tells whether one was recorded. */
export async function orReported(jobs: Jobs, { id, leaseId }: LeasedJob, report: Promise<Failure>): Promise<Failure> {
  try {
    return await report;
  } catch (error) {
    if (!isOfLostLease(error)) throw error;
    const events = await jobs.history(id, { orderDir: 'desc' }).catch(() => []);
    const failed = events.find(({ eventType, details }) => eventType === 'failed' && details?.lease_id === leaseId);
    if (!failed) throw error;
    return { willRetry: failed.details!.will_retry === true, cancelled: false };
  }
}
