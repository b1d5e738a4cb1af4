import type { Batch, BatchJobsQuery } from '@spooled/sdk/browser';
import { shortId, visibleName } from '../../ui/format';

export type BatchJobStatus = NonNullable<BatchJobsQuery['status']>;

const jobStatuses: Record<BatchJobStatus, string> = {
  unfinished: 'Not ended yet',
  succeeded: 'Succeeded',
  failed: 'Dead letters',
  cancelled: 'Cancelled',
};

export const batchJobStatuses = Object.keys(jobStatuses) as BatchJobStatus[];
export const batchJobStatusName = (status: BatchJobStatus): string => jobStatuses[status];

/** A batch needs no name. The end of an id tells batches apart: the beginning is the time of creation. */
export const batchTitle = ({ id, name }: Pick<Batch, 'id' | 'name'>): string =>
  visibleName(name) ?? `Batch ${shortId(id)}`;

/** Jobs that have ended, however. */
export const endedJobs = ({ succeededJobs, failedJobs, cancelledJobs }: Batch): number =>
  succeededJobs + failedJobs + cancelledJobs;
