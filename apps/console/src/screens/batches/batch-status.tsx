import type { Batch, BatchJobsQuery } from '@spooled/sdk/browser';
import { statusBadge, statusChoices, type StatusLooks } from '../../ui/badge';
import { shortId, visibleName } from '../../ui/format';

export type BatchStatus = Batch['status'];

const looks: StatusLooks<BatchStatus> = {
  open: { label: 'Open', tone: 'neutral', icon: 'plus' },
  closed: { label: 'Closed', tone: 'info', icon: 'play' },
  completed: { label: 'Completed', tone: 'ok', icon: 'check' },
  cancelled: { label: 'Cancelled', tone: 'warn', icon: 'slash' },
};

export const batchStatuses = Object.keys(looks) as BatchStatus[];
export const batchStatusChoices = statusChoices(looks);
export const BatchStatusBadge = statusBadge(looks);

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
