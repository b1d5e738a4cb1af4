import type { JobSummary } from '@spooled/sdk/browser';
import { statusBadge, type StatusLooks } from './badge';

export type JobStatus = JobSummary['status'];

const looks: StatusLooks<JobStatus> = {
  pending: { label: 'Pending', tone: 'neutral', icon: 'circle' },
  scheduled: { label: 'Scheduled', tone: 'info', icon: 'clock' },
  processing: { label: 'Processing', tone: 'info', icon: 'play' },
  completed: { label: 'Completed', tone: 'ok', icon: 'check' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  deadletter: { label: 'Dead letter', tone: 'danger', icon: 'stop' },
  cancelled: { label: 'Cancelled', tone: 'warn', icon: 'slash' },
};

const ended: readonly JobStatus[] = ['completed', 'failed', 'deadletter', 'cancelled'];
export const isEnded = (status: JobStatus): boolean => ended.includes(status);

export const jobStatuses = Object.keys(looks) as JobStatus[];
export const jobStatusLabel = (status: JobStatus): string => looks[status].label;

/** `label`: in place of the status's name. */
export const JobStatusBadge = statusBadge(looks);
